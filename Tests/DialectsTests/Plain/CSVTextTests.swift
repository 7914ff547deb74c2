import Dialects
import Testing

@Suite struct CSVTextTests {
  @Test(arguments: [
    ("", ""), ("Pump 3", "Pump 3"), ("Kältepumpe 冷 👩‍🔧", "Kältepumpe 冷 👩‍🔧"), ("a=b", "a=b"), ("3-4", "3-4"),
    ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""), ("No #3", "\"No #3\""), (" a", "\" a\""),
    ("a ", "\"a \""),
  ])
  func `what would end a field, or begin a comment, is quoted, and nothing else`(text: String, field: String)
  {
    #expect(CSVText.field(text) == field)
  }

  @Test(arguments: [("a\nb", "a_b"), ("a\r\nb", "a__b"), ("\ta", "_a"), ("a\u{2028}b\u{0}", "a_b_")])
  func `F231 a row is one line, whatever a name holds`(text: String, field: String) {
    #expect(CSVText.field(text) == field)
  }

  @Test(arguments: [
    ("=1+2", "'=1+2"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a"),
    ("=HYPERLINK(\"a\",1)", "\"'=HYPERLINK(\"\"a\"\",1)\""),
  ])
  func `F231 no name is a formula to a spreadsheet`(text: String, field: String) {
    #expect(CSVText.field(text) == field)
  }
}
