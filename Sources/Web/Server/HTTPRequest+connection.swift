internal import CMicrohttpd

extension HTTPRequest {
  /// Reads what libmicrohttpd has of a request.
  init(_ method: String, _ path: String, of connection: OpaquePointer) {
    let headers = Pairs { cmicrohttpd_each_header(connection, Pairs.take, $0) }.found
    let query = Pairs { cmicrohttpd_each_query(connection, Pairs.take, $0) }.found
    self.init(
      method, path,
      query: Dictionary(
        query.compactMap { name, value in
          PercentText.decoded(name).flatMap { name in PercentText.decoded(value).map { (name, $0) } }
        }
      ) { _, later in later },
      hosts: headers.filter { $0.name.lowercased() == "host" }.map(\.value),
      headers: Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" },
      peer: Peer(of: connection))
  }

  /// Names and values that libmicrohttpd hands over one by one.
  private final class Pairs {
    private(set) var found: [(name: String, value: String)] = []

    init(_ each: (UnsafeMutableRawPointer) -> Void) { each(Unmanaged.passUnretained(self).toOpaque()) }

    static let take: MHD_KeyValueIterator = { context, _, name, value in
      guard let context, let name else { return cmicrohttpd_later() }
      let pairs = Unmanaged<Pairs>.fromOpaque(context).takeUnretainedValue()
      pairs.found.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
      return cmicrohttpd_later()
    }
  }
}

extension Peer {
  fileprivate init(of connection: OpaquePointer) {
    guard cmicrohttpd_is_socket(connection) == 0 else {
      self = .socket
      return
    }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      cmicrohttpd_address(connection, room.baseAddress, UInt32(room.count)).map { String(cString: $0) } ?? ""
    }
    self = .address(text, isLoopback: cmicrohttpd_is_local(connection) != 0)
  }
}
