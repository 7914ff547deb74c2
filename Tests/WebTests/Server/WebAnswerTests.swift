import Testing

@testable import Web

@Suite struct WebAnswerTests {
  @Test func `a file has a name that no system stumbles over`() {
    #expect(WebDownload.harmless("e5a1-01J.csv") == "e5a1-01J.csv")
    #expect(WebDownload.harmless("../a\"b.csv") == "_a_b.csv")
    for character in WebDownload.harmless("../a\"\r\nb;ä/\\.csv") {
      #expect(character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character)))
    }
    #expect(!WebDownload.harmless("..").hasPrefix("."))
    let headers = WebDownload(-1, type: "text/csv; charset=utf-8", name: "a.csv") {}.headers
    #expect(headers["Content-Disposition"] == "attachment; filename=\"a.csv\"")
    #expect(headers["Cache-Control"] == "no-store" && headers["Content-Type"] == "text/csv; charset=utf-8")
  }
}
