import EventLoops
import Glibc

/// Has the gateway run a command that reads its archive. What it says comes straight to where ours would go.
enum ArchiveClient {
  /// Returns the command's exit status. `result` is where the file goes, where there is one.
  static func run(_ request: ArchiveRequest, into result: Int32?, at path: String) throws(CommandLineFailure)
    -> Int32
  {
    let socket: Int32
    do throws(ArchiveSocket.SystemFailure) { socket = try ArchiveSocket.connected(to: path) } catch {
      throw CommandLineFailure(
        .unavailable, "the gateway does not answer at \(path): \(SystemError.reason(error.code))")
    }
    defer { close(socket) }
    let descriptors = [STDOUT_FILENO, STDERR_FILENO] + (result.map { [$0] } ?? [])
    var (answer, none): ([UInt8], [Int32]) = ([], [])
    // Who is refused at the door may be answered before having asked.
    _ = ArchiveSocket.send(request.line, with: descriptors, to: socket)
    while answer.last != UInt8(ascii: "\n"), answer.count < ArchiveRequest.largest,
      ArchiveSocket.receive(&answer, &none, from: socket)
    {}
    for descriptor in none { close(descriptor) }
    guard let reply = ArchiveReply(line: answer) else {
      throw CommandLineFailure(.unavailable, "the gateway ended before it had answered; try again")
    }
    if let message = reply.message { Console.note("metafleet: \(printable(message))") }
    return reply.status
  }
}

extension CommandLineFailure {
  /// How a command ended that the gateway ran, which has said everything itself.
  init(ended status: Int32) {
    let known = ExitStatus(rawValue: status)
    self.init(
      known ?? .internal, known == nil ? "the gateway's command ended with status \(status); try again" : "")
  }
}
