import Testing

@testable import Web

@Suite struct AccessTokenTests {
  @Test func `F238 what can be guessed, or not be sent, is no token`() {
    #expect(AccessToken(Array("0123456789abcdef".utf8)) != nil)
    for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdéf", "0123456789abcdef\t"] {
      #expect(AccessToken(Array(text.utf8)) == nil)
    }
  }
}
