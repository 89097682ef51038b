import Testing

@testable import ImmutableServer

struct CompactSourceTests {
  @Test func `a script loses comments and spaces, but nothing of a literal`() {
    let script = """
      /**
       * A comment.
       */
      function f() {
        // Another.
        const text = `one

          two`;

        return text; // nothing stays of this
      }
      const url = "https://a // b"; // what's after a quote stays
      if (!n || n < -1) { return [n + 1, n + +m, n-- - m, "a, \\" = b", 'a = "b"'].map((x) => x ?? .5); }
      const even = text.replace(/a {2}, b/, " ") + 2;

      """

    let compact = CompactSource.withoutSpace(
      script: CompactSource.withoutComments(script: script))

    #expect(
      compact == """
        function f(){
        const text = `one

            two`;
        return text;
        }
        const url = "https://a // b"; // what's after a quote stays
        if(!n||n<-1){return[n+1,n+ +m,n-- -m,"a, \\" = b",'a = "b"'].map((x)=>x??.5);}
        const even = text.replace(/a {2}, b/, " ") + 2;

        """
    )
  }

  @Test func `a script stays as it is after a backtick that may be in a text`() {
    let script = "const a = 1;\nconst tick = \"`\";\nconst text = `a\n  b = c`;\n"

    #expect(
      CompactSource.withoutSpace(script: script)
        == "const a=1;\nconst tick = \"`\";\nconst text = `a\n  b = c`;\n\n")
  }

  @Test func `a style sheet loses comments and indentation, but nothing of a text`() {
    let sheet = """
      /* A comment. */
      .a {
        color: red; /**/

        &::before { content: "/*  */"; }
      }
      /* It has no end.
      """

    #expect(
      String(decoding: CompactSource.styles(Array(sheet.utf8)), as: UTF8.self)
        == ".a {\ncolor: red; \n&::before { content: \"/*  */\"; }\n}\n"
    )
  }
}
