import Testing

@testable import Web

@Suite struct HTMLTextTests {
  @Test func `F225 text is never markup`() {
    #expect(
      HTMLText.escaped("<img src=x onerror='a' b=\"c\">&amp;")
        == "&lt;img src=x onerror=&#39;a&#39; b=&quot;c&quot;&gt;&amp;amp;")
    #expect(HTMLText.escaped("a\u{202E}b\u{0}c") == "a\\u{202E}b\\0c")
    #expect(HTMLText.escaped("Grüße 🙂") == "Grüße 🙂")
  }

  @Test func `rows hold text`() {
    var html = HTMLText()
    html.row(["<", "b"], isTrouble: true)
    #expect(
      String(decoding: html.bytes, as: UTF8.self)
        == "<tr class=\"trouble\"><td>&lt;</td><td>b</td></tr>\n")
  }
}
