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
        export function one() { return three + 1; } // the end of a line
        export const two = 2;

        """,
        "b-c.js": "export const three = 3;\n",
        "effect.js": "globalThis.effect = true;\n",
        "other.js": "import { x } from \"./missing.js\";\n",
      ]
    )

    #expect(
      bundle.scripts == [
        "window.js": """
        const $b_c=(()=>{
        const three=3;
        return{three};
        })();
        const $a=(()=>{
        const{three}=$b_c;
        function one(){return three+1;}
        const two=2;
        return{one,two};
        })();
        const $effect=(()=>{
        globalThis.effect=true;
        return{};
        })();
        const{one,two:second}=$a;
        const{
        three,
        }=$b_c;
        export const all=[one(),second,three];

        """
      ]
    )
  }

  @Test func `what is imported when it is needed is a script that shares modules with the entry`()
    throws
  {
    let bundle = try ScriptBundle(
      "window.js",
      in: [
        "window.js": """
        import { one } from "./a.js";
        addEventListener("drop", async () => {
          const { drop } = await import("./drop.js");
          drop(one);
        });

        """,
        "a.js": "export const one = 1;\n",
        "b.js": "export const two = 2;\n",
        "drop.js": """
        import { one } from "./a.js";
        import { two } from "./b.js";
        export function drop() { return one + two; }

        """,
      ]
    )

    #expect(
      bundle.scripts == [
        "window.js": """
        const $a=(()=>{
        const one=1;
        return{one};
        })();
        const{one}=$a;
        addEventListener("drop",async()=>{
        const { drop } = await import("./drop.js");
        drop(one);
        });
        export{$a};

        """,
        "drop.js": """
        import { $a } from "./window.js";
        const $b=(()=>{
        const two=2;
        return{two};
        })();
        const{one}=$a;
        const{two}=$b;
        export function drop(){return one+two;}

        """,
      ]
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
    (
      ["a.js": "import { b } from \"./b.js\";\nf(() => import(\"./b.js\"));\n", "b.js": "\n"],
      "b.js is imported at once and when it is needed"
    ),
    (
      [
        "a.js": "f(() => [import(\"./b.js\"), import(\"./c.js\")]);\n",
        "b.js": "import \"./d.js\";\n", "c.js": "import \"./d.js\";\n", "d.js": "\n",
      ],
      "c.js and b.js import d.js, and a.js does not"
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
