import Testing

@testable import ImmutableServer

struct ScriptBundleTests {
  @Test func `a module and its imports become one script, each once and in order`() throws {
    let bundle = try ScriptBundle(
      "window.js",
      in: [
        "window.js": """
        /** The entry. */
        import { one, two as second } from "./a.js";
        import {
          three,
        } from "./b-c.js";
        import "./effect.js";
        export const all = [one(), second, three];

        """,
        "a.js": """
        import { three } from "./b-c.js";
        // A line.
        export function one() { return three + 1; } // the end of a line stays
        export const two = 2;

        """,
        "b-c.js": "export const three = 3;\n",
        "effect.js": "globalThis.effect = true;\n",
        "other.js": "import { x } from \"./missing.js\";\n",
      ]
    )

    #expect(
      bundle.script == """
        // b-c.js
        const $b_c = (() => {
        const three = 3;
        return { three };
        })();
        // a.js
        const $a = (() => {
        const { three } = $b_c;
        function one() { return three + 1; } // the end of a line stays
        const two = 2;
        return { one, two };
        })();
        // effect.js
        const $effect = (() => {
        globalThis.effect = true;
        return {  };
        })();
        // window.js
        const { one, two: second } = $a;
        const {
          three,
        } = $b_c;

        export const all = [one(), second, three];

        """
    )
  }

  @Test(arguments: [
    (["a.js": "import { b } from \"./b.js\";\n"], "there is no b.js"),
    (
      ["a.js": "import { b } from \"./b.js\";\n", "b.js": "import { a } from \"./a.js\";\n"],
      "a.js imports itself, by way of [\"a.js\", \"b.js\"]"
    ),
    (
      ["a.js": "import b from \"./b.js\";\n", "b.js": "export default 1;\n"],
      "a.js imports or exports in an unsupported way"
    ),
    (
      ["a.js": "import { b } from \"./b.js\";\n", "b.js": "export { b };\n"],
      "b.js imports or exports in an unsupported way"
    ),
  ])
  func `a failed bundle says why`(sources: [String: String], reason: String) {
    do {
      _ = try ScriptBundle("a.js", in: sources)
      Issue.record("it was bundled")
    } catch {
      #expect("\(error)" == reason)
    }
  }
}
