import Testing

@Suite struct TokenizerTests {
  @Test(arguments: [
    ("let a = 1 // Task {", "let a = 1"),
    ("a /* one /* two */ three */ b", "a b"),
    (#"print("Task { /* no comment */")"#, "print ( )"),
    (#"print("\(value ?? "none") left \(f(1))")"#, "print ( value ? ? f ( 1 ) )"),
    (##"print(#"a "quoted" \(text) \#(code)"#)"##, "print ( code )"),
    (#"let quote = "\"" + x"#, "let quote = + x"),
    ("let t = \"\"\"\n  try! \"x\"\n  \"\"\"\nlet u", "let t = let u"),
    ("#expect(a)", "# expect ( a )"),
    ("/* open", ""),
    ("\"open", ""),
    ("\"open \\(", ""),
  ])
  func `keeps code and nothing else`(source: String, code: String) {
    #expect(Tokenizer.tokens(of: source).map(\.text).joined(separator: " ") == code)
  }

  @Test func `tells what stands together from what stands apart`() {
    let glued = Tokenizer.tokens(of: "a! && !b").map(\.isGlued)
    #expect(glued == [false, true, false, true, false, true])
  }
}
