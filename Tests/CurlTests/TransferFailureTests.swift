import CCurl
import Testing

@testable import Curl

@Suite struct TransferFailureTests {
  private static let request = TransferRequest("https://example.org", largestSize: 10)

  @Test(arguments: [
    (CURLE_COULDNT_RESOLVE_HOST, "cannot be looked up"), (CURLE_COULDNT_CONNECT, "nobody answers there"),
    (CURLE_OPERATION_TIMEDOUT, "not done within 60 s"), (CURLE_SSL_CONNECT_ERROR, "does not speak TLS"),
    (CURLE_SSL_CACERT_BADFILE, "file of trusted authorities"),
    (CURLE_TOO_MANY_REDIRECTS, "more than 5 times"),
    (CURLE_UNSUPPORTED_PROTOCOL, "not https"), (CURLE_FILESIZE_EXCEEDED, "more than 10 bytes"),
    (CURLE_URL_MALFORMAT, "https://example.org is no address"), (CURLE_PARTIAL_FILE, "in the middle"),
    (CURLE_GOT_NOTHING, "in the middle"), (CURLE_BAD_CONTENT_ENCODING, "some detail"),
  ])
  func `each cause has its sentence`(code: CURLcode, words: String) {
    let failure = TransferFailure(code: code, detail: "some detail", request: Self.request)
    #expect(failure.description.contains(words))
  }

  @Test(arguments: [
    ("SSL certificate problem: certificate has expired", "has expired"),
    ("SSL certificate problem: certificate is not yet valid", "clock is wrong"),
    ("SSL: no alternative certificate subject name matches target host name 'x'", "for another name"),
    ("SSL certificate problem: unable to get local issuer certificate", "nobody who is trusted here"),
  ])
  func `F193 why a server is not trusted`(detail: String, words: String) {
    let failure = TransferFailure(code: CURLE_PEER_FAILED_VERIFICATION, detail: detail, request: Self.request)
    #expect(failure.description.contains(words))
  }

  @Test(arguments: [
    ("Resolving timed out after 15001 milliseconds", "no connection within 15 s"),
    ("Connection timed out after 15001 milliseconds", "no connection within 15 s"),
    ("SSL connection timeout", "no connection within 15 s"),
    ("Operation timed out after 60001 milliseconds with 0 bytes received", "not done within 60 s"),
  ])
  func `F193 the limit that passed is named, and not another one`(detail: String, words: String) {
    let failure = TransferFailure(code: CURLE_OPERATION_TIMEDOUT, detail: detail, request: Self.request)
    #expect(failure.description.contains(words))
  }

  @Test func `without a word of its own libcurl's name of the error is told`() {
    let failure = TransferFailure(code: CURLE_BAD_CONTENT_ENCODING, detail: "", request: Self.request)
    #expect(!failure.description.isEmpty)
  }

  @Test(arguments: [(404, "no such file"), (503, "in trouble"), (403, "refuses it (HTTP 403)")])
  func `a status says whose matter it is`(status: Int, words: String) {
    #expect(TransferFailure.status(status).description.contains(words))
  }
}
