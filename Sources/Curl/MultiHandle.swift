internal import CCurl
internal import EventLoops

/// libcurl's transfers on a loop: the sockets it wants watched, and its one timer. Belongs to the actor that owns it.
final class MultiHandle {
  /// Called on the loop's thread: a socket is ready, or the timer is due.
  typealias Wake = @Sendable (_ socket: Int32, _ flags: Int32) -> Void

  private let handle: UnsafeMutableRawPointer
  private let loop: EventLoop
  private let wake: Wake
  private var watches: [Int32: Watch] = [:]
  private var timer: LoopTimer?

  /// The library has to be told once that it is used.
  private static let isLibraryReady = ccurl_start_library() == CURLE_OK

  /// nil when the library cannot be used.
  init?(loop: EventLoop, wake: @escaping Wake) {
    guard Self.isLibraryReady, let handle = curl_multi_init() else { return nil }
    (self.handle, self.loop, self.wake) = (handle, loop, wake)
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_watch_sockets(handle, Self.onSocket, context)
    ccurl_watch_timer(handle, Self.onTimer, context)
  }

  deinit {
    ccurl_watch_sockets(handle, nil, nil)
    ccurl_watch_timer(handle, nil, nil)
    timer?.cancel()
    // Before their descriptors are closed, whose numbers others may get.
    for watch in watches.values { watch.cancel() }
    curl_multi_cleanup(handle)
  }

  /// False when libcurl refuses it.
  func add(_ transfer: Transfer) -> Bool { curl_multi_add_handle(handle, transfer.easy) == CURLM_OK }

  func remove(_ transfer: Transfer) { curl_multi_remove_handle(handle, transfer.easy) }

  /// Lets libcurl go on, and returns what ended, handle and code.
  func proceed(socket: Int32, flags: Int32) -> [(easy: UnsafeMutableRawPointer, code: CURLcode)] {
    var running: Int32 = 0
    curl_multi_socket_action(handle, socket, flags, &running)
    var ended: [(easy: UnsafeMutableRawPointer, code: CURLcode)] = []
    var code = CURLE_OK
    while let easy = ccurl_take_ended(handle, &code) { ended.append((easy, code)) }
    return ended
  }

  // From within libcurl, which may not be called meanwhile.

  private func watch(_ socket: Int32, for action: Int32) {
    guard action != CURL_POLL_REMOVE else {
      watches.removeValue(forKey: socket)?.cancel()
      return
    }
    var interest = Interest()
    if action & CURL_POLL_IN != 0 { interest.insert(.read) }
    if action & CURL_POLL_OUT != 0 { interest.insert(.write) }
    // What cannot be watched ends by its time-out.
    if let watch = watches[socket] {
      try? watch.setInterest(interest)
    } else {
      watches[socket] = try? loop.watch(socket, for: interest) { [wake] readiness in
        wake(socket, readiness.flags)
      }
    }
  }

  private func setTimer(milliseconds: Int) {
    timer?.cancel()
    timer =
      milliseconds < 0
      ? nil
      : loop.schedule(after: .milliseconds(milliseconds)) { [wake] in wake(CURL_SOCKET_TIMEOUT, 0) }
  }

  private static let onSocket: curl_socket_callback = { _, socket, action, context, _ in
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().watch(socket, for: action)
    return 0
  }

  private static let onTimer: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
  }
}

extension Readiness {
  /// A hang-up is found out by reading.
  fileprivate var flags: Int32 {
    var flags: Int32 = 0
    if !isDisjoint(with: [.readable, .hungUp]) { flags |= CURL_CSELECT_IN }
    if contains(.writable) { flags |= CURL_CSELECT_OUT }
    if contains(.failed) { flags |= CURL_CSELECT_ERR }
    return flags
  }
}
