import DBus
import EventLoops
import Glibc

/// Our end of a socket pair that carries packets: one write is one read. The other end goes to a client.
final class PacketSocket {
  private let descriptor: Int32
  private var watch: Watch?
  private var isOpen = true

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  /// A pair, ours watched on the loop; nil if the process has no descriptors left. `ready` is called there when
  /// there is a packet, or nobody on the other end any more.
  static func pair(
    on loop: EventLoop, ready: @escaping @Sendable () -> Void
  ) -> (ours: PacketSocket, theirs: DBusDescriptor)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    let socket = PacketSocket(ends[0])
    let theirs = DBusDescriptor(owning: ends[1])
    guard let watch = try? loop.watch(ends[0], for: .read, handler: { _ in ready() }) else { return nil }
    socket.watch = watch
    return (socket, theirs)
  }

  /// False if the client does not keep up and the packet is lost, as it is with BlueZ.
  func send(_ packet: [UInt8]) -> Bool {
    packet.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    } == packet.count
  }

  enum Received: Equatable {
    case packet([UInt8])
    case nothing
    case hangUp
  }

  func receive() -> Received {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { return .packet(Array(buffer.prefix(count))) }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .hangUp }
    // An empty packet reads like the end.
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    _ = poll(&state, 1, 0)
    return state.revents & Int16(POLLHUP) != 0 ? .hangUp : .packet([])
  }

  /// The other end reads what is queued, then the end.
  func close() {
    guard isOpen else { return }
    isOpen = false
    watch?.cancel()
    _ = Glibc.close(descriptor)
  }
}
