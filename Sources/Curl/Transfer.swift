internal import CCurl

/// One transfer of libcurl, from its first byte to its last. Belongs to the actor that runs it.
final class Transfer {
  typealias Completion = CheckedContinuation<Result<[UInt8], TransferFailure>, Never>

  let number: UInt64
  let easy: UnsafeMutableRawPointer
  private let request: TransferRequest
  private let completion: Completion
  private var content: [UInt8] = []
  private var isTooLarge = false
  /// What libcurl says about what went wrong; it may write until the handle is gone.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// nil when libcurl has no room for one more, or refuses an option.
  init?(_ request: TransferRequest, number: UInt64, completion: Completion) {
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard let easy = curl_easy_init() else {
      words.deallocate()
      return nil
    }
    (self.request, self.number, self.easy, self.completion) = (request, number, easy, completion)
    guard setOptions() else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    words.deallocate()
  }

  /// Ends it with what libcurl says.
  func complete(_ code: CURLcode) {
    if isTooLarge { return complete(.failure(.tooLarge(request.largestSize))) }
    if code != CURLE_OK {
      return complete(.failure(TransferFailure(code: code, detail: String(cString: words), request: request)))
    }
    let status = ccurl_status(easy)
    complete(status == 200 ? .success(content) : .failure(.status(status)))
  }

  /// Ends it; once.
  func complete(_ result: Result<[UInt8], TransferFailure>) { completion.resume(returning: result) }

  /// False when the rest is not wanted.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard content.count + bytes.count <= request.largestSize else {
      isTooLarge = true
      return false
    }
    content.append(contentsOf: bytes)
    return true
  }

  private func setOptions() -> Bool {
    let texts: [(CURLoption, String?)] = [
      (CURLOPT_URL, request.address), (CURLOPT_USERAGENT, "metafleet"),
      (CURLOPT_PROTOCOLS_STR, request.allowsPlainHTTP ? "http,https" : "https"),
      (CURLOPT_REDIR_PROTOCOLS_STR, "https"), (CURLOPT_CAINFO, request.authorities),
    ]
    let numbers: [(CURLoption, Int)] = [
      // Signals would reach the whole process; a look-up of a name that hangs is left behind.
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_QUICK_EXIT, 1),
      (CURLOPT_FOLLOWLOCATION, 1), (CURLOPT_MAXREDIRS, TransferRequest.mostRedirects),
      (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
      (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_TIMEOUT_MS, request.timeout.wholeMilliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.wholeMilliseconds),
    ]
    let isSet =
      texts.allSatisfy { $1 == nil || ccurl_set_text(easy, $0, $1) == CURLE_OK }
      && numbers.allSatisfy { ccurl_set_number(easy, $0, $1) == CURLE_OK }
    let context = Unmanaged.passUnretained(self).toOpaque()
    return isSet && ccurl_set_error_buffer(easy, words) == CURLE_OK
      && ccurl_set_writer(easy, Self.write, context) == CURLE_OK
  }

  private static let write: ccurl_write_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    max(1, Int(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
  }
}
