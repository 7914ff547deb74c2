import Testing

@Suite struct CodeReaderTests {
  @Test(arguments: [
    ("let a = 1 // Task {", "let a = 1 "),
    ("a /* one /* two */ three */ b", "a  b"),
    (#"print("Task { /* no comment */")"#, #"print("")"#),
    (#"print("\(value ?? "none") left")"#, #"print("(value ?? "")")"#),
    (##"print(#"a "quoted" \(text) \#(code)"#)"##, #"print("(code)")"#),
    (#"let quote = "\"" + x"#, #"let quote = "" + x"#),
    ("let t = \"\"\"\n  try! \"x\"\n  \"\"\"\nlet u", "let t = \"\n\n\"\nlet u"),
    ("/* open", ""),
    ("\"open", "\"\""),
  ])
  func `keeps code and nothing else`(source: String, code: String) {
    #expect(CodeReader.code(of: source) == code)
  }
}
