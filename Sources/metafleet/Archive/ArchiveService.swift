import CLinux
import EventLoops
import FleetModel
import Foundation
import Glibc
import Logging
import Web

/// Lets those who may use its socket read the gateway's archive: each command is run as a child of the gateway, which
/// only hands on descriptors. A command ends when its client hangs up.
actor ArchiveService {
  /// So many at a time; others are told to come again.
  static let most = 8
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: EventLoop
  private let path: String
  /// What the children get besides what the caller says of his terminal: where state and configuration are.
  private let environment: [String: String]
  private let log: Logger
  private let program: String
  /// Who says nothing for so long is hung up on.
  private let longestSilence: Duration
  private var clients = 0

  /// nil where nobody made a directory for the socket, as systemd does for a service.
  init?(
    on loop: EventLoop, configurationFile: String?, directory: String, log: Logger,
    environment ours: [String: String] = ProcessInfo.processInfo.environment,
    program: String = "/proc/self/exe", longestSilence: Duration = .seconds(5)
  ) {
    guard ours["RUNTIME_DIRECTORY"] != nil else { return nil }
    var environment = ours.filter { ["CREDENTIALS_DIRECTORY", "TZ", "LANG"].contains($0.key) }
    environment["STATE_DIRECTORY"] = directory
    environment["METAFLEET_CONFIG"] = configurationFile
    (self.loop, self.log, self.environment) = (loop, log, environment)
    (self.program, self.longestSilence) = (program, longestSilence)
    path = ArchiveSocket.path(environment: ours)
  }

  /// Serves until it is cancelled. A socket that cannot be had is told once, and the gateway goes on without.
  func run() async {
    let socket: ListenSocket
    do throws(ListenFailure) {
      socket = try ListenSocket.open(.unix(path), mode: ArchiveSocket.mode)
    } catch {
      return log.warning(
        "members of the group metafleet cannot read the archive through \(path): \(error.reason)")
    }
    defer {
      socket.remove()
      close(socket.descriptor)
    }
    await withDiscardingTaskGroup { group in
      for await _ in readiness(of: socket.descriptor) {
        let client = clinux_accept(socket.descriptor)
        guard client >= 0 else { continue }
        group.addTask { await self.serve(client) }
      }
      group.cancelAll()
    }
  }

  private func serve(_ client: Int32) async {
    guard clients < Self.most else {
      let failure = CommandLineFailure(.tryLater, "\(Self.most) others read the archive; try again")
      return Self.answer(ArchiveReply(failure), client)
    }
    clients += 1
    defer { clients -= 1 }
    var (bytes, descriptors): ([UInt8], [Int32]) = ([], [])
    while bytes.last != UInt8(ascii: "\n"), bytes.count < ArchiveRequest.largest {
      guard await isReadable(client, within: longestSilence),
        ArchiveSocket.receive(&bytes, &descriptors, from: client)
      else { break }
    }
    let reply = await reply(to: bytes, descriptors, from: client)
    for descriptor in descriptors { close(descriptor) }
    Self.answer(reply, client)
  }

  private func reply(to bytes: [UInt8], _ descriptors: [Int32], from client: Int32) async -> ArchiveReply {
    guard let request = ArchiveRequest(line: bytes), descriptors.count >= 2 else {
      return ArchiveReply(CommandLineFailure(.usage, "that is no request of this version of metafleet"))
    }
    if let fault = request.fault { return ArchiveReply(fault) }
    do throws(SystemCallFailure) {
      let child = try ArchiveChild(
        program, request.arguments, environment: request.environment.merging(environment) { _, ours in ours },
        descriptors: descriptors)
      let hasEnded = await First.of(
        { await self.isReadable(child.end) },
        or: {
          _ = await self.isReadable(client)
          return false
        })
      if !hasEnded {
        child.stop()
        _ = await isReadable(child.end)
      }
      return ArchiveReply(status: child.status())
    } catch {
      return ArchiveReply(CommandLineFailure(.internal, "the gateway cannot run a command: \(error)"))
    }
  }

  private static func answer(_ reply: ArchiveReply, _ client: Int32) {
    _ = ArchiveSocket.send(reply.line, to: client)
    close(client)
  }

  /// Comes back once there is something to read, or an end of it; false when that takes longer, or the task is
  /// cancelled.
  private func isReadable(_ descriptor: Int32, within limit: Duration? = nil) async -> Bool {
    guard let limit else { return await First.value(of: readiness(of: descriptor)) != nil }
    return await First.of(
      { await self.isReadable(descriptor) },
      or: {
        _ = try? await self.loop.sleep(for: limit)
        return false
      })
  }

  /// An element for each time that there is something to read: asked for again only when that one was taken.
  private func readiness(of descriptor: Int32) -> AsyncStream<Void> {
    let (stream, outlet) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = try? loop.watch(descriptor, for: .read) { _ in outlet.yield() }
    guard let watch else {
      outlet.finish()
      return stream
    }
    outlet.onTermination = { _ in watch.cancel() }
    return stream
  }
}
