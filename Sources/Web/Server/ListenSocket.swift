package import FleetModel
internal import EventLoops
internal import Glibc
internal import CMicrohttpd

/// A socket of ours that listens. The server that takes it closes it; a path of the file system goes with `remove`.
package struct ListenSocket: Sendable {
  package let descriptor: Int32
  /// The address with the port that it has, where any was asked for.
  package let address: ListenAddress

  private static let backlog: Int32 = 128

  /// `mode` is who may use a socket of the file system.
  package static func open(_ address: ListenAddress, mode: String) throws(ListenFailure) -> ListenSocket {
    switch address {
    case .internet(let host, let port): try open(host, port)
    case .unix(let path): try open(path: path, mode: mode)
    }
  }

  /// Lets others use a socket of the file system.
  func allow(mode: String) throws(ListenFailure) {
    guard case .unix(let path) = address, chmod(path, Self.mode(mode)) != 0 else { return }
    throw Self.failure(address, code: errno)
  }

  private static func mode(_ digits: String) -> mode_t { mode_t(digits, radix: 8) ?? 0o600 }

  /// Takes the path out of the file system.
  package func remove() {
    if case .unix(let path) = address { unlink(path) }
  }

  private static func open(_ host: String, _ port: UInt16) throws(ListenFailure) -> ListenSocket {
    let address = ListenAddress.internet(host, port: port)
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let found = list?.pointee,
      let name = found.ai_addr
    else {
      throw ListenFailure(
        "\(address)", "the system does not take it for an address", advice: "change http.listen")
    }
    defer { freeaddrinfo(list) }
    let descriptor = try descriptor(found.ai_family, for: address)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    // [::] would take requests of IPv4 as well, and then 0.0.0.0 could not be had beside it.
    if found.ai_family == AF_INET6 {
      setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(descriptor, name, found.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
      throw refused(descriptor, address)
    }
    return ListenSocket(
      descriptor: descriptor, address: .internet(host, port: Self.port(of: descriptor) ?? port))
  }

  private static func open(path: String, mode: String) throws(ListenFailure) -> ListenSocket {
    let address = ListenAddress.unix(path)
    let descriptor = try descriptor(AF_UNIX, for: address)
    guard var name = sockaddr_un(path: path) else { throw refused(descriptor, address, code: ENAMETOOLONG) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isTaken = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
    if isTaken { throw refused(descriptor, address, code: EADDRINUSE) }
    // What a process that was killed left behind; anything but a socket stays, and is in the way.
    if errno == ECONNREFUSED { unlink(path) }
    // On Linux the path gets the mode that the socket has (measured), so nobody gets in between the two calls who does
    // not get in behind them; a umask would be that of the whole process, and of all that other threads make meanwhile.
    guard fchmod(descriptor, 0o600) == 0 else { throw refused(descriptor, address) }
    let isBound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard isBound, chmod(path, Self.mode(mode)) == 0, listen(descriptor, backlog) == 0 else {
      throw refused(descriptor, address)
    }
    return ListenSocket(descriptor: descriptor, address: address)
  }

  private static func descriptor(
    _ family: Int32, for address: ListenAddress
  ) throws(ListenFailure) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(family, Int32(kind), 0)
    guard descriptor >= 0 else { throw failure(address, code: errno) }
    return descriptor
  }

  private static func refused(
    _ descriptor: Int32, _ address: ListenAddress, code: Int32 = errno
  ) -> ListenFailure {
    close(descriptor)
    return failure(address, code: code)
  }

  private static func failure(_ address: ListenAddress, code: Int32) -> ListenFailure {
    let advice =
      switch code {
      case EADDRINUSE: "another program has it: end that one, or change http.listen"
      case EADDRNOTAVAIL: "this computer has no such address, or not yet; change http.listen if it never will"
      case EACCES, EPERM: "change http.listen, or let the gateway's user use it"
      default: "change http.listen"
      }
    return ListenFailure("\(address)", SystemError.reason(code), advice: advice)
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The port lies where it does in an address of IPv6.
    let isKnown = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
    }
    return isKnown ? UInt16(bigEndian: name.sin_port) : nil
  }
}

extension sockaddr_un {
  /// nil where the path has no room.
  fileprivate init?(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let isSet = withUnsafeMutableBytes(of: &sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard isSet else { return nil }
  }
}
