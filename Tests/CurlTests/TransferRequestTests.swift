import Testing

@testable import Curl

@Suite struct TransferRequestTests {
  private static func request(_ address: String, plain: Bool = false) -> TransferRequest {
    var request = TransferRequest(address, largestSize: 1)
    request.allowsPlainHTTP = plain
    return request
  }

  @Test(arguments: ["https://example.org/info2.json", "HTTPS://example.org"])
  func `https is fetched`(address: String) {
    #expect(Self.request(address).isUsable)
  }

  @Test(arguments: [
    "http://example.org", "file:///etc/passwd", "example.org", "", "https://", "https://example.org/a b",
    "https://example.org/\n", "ftp://example.org",
  ])
  func `nothing else is`(address: String) {
    #expect(!Self.request(address).isUsable)
  }

  @Test func `http is fetched where that is allowed, and nothing more`() {
    #expect(Self.request("http://localhost:80/a", plain: true).isUsable)
    #expect(!Self.request("file:///etc/passwd", plain: true).isUsable)
  }
}
