import EventLoops
import FleetModel
import Glibc
import Storage

/// A directory that is removed when we end, however we end.
struct ScratchDirectory: Temporary {
  let path: String
  private let remover: ChildProcess

  /// Makes a directory under `$TMPDIR` or `/tmp` that only we may enter.
  static func make(_ name: String, on loop: EventLoop) async throws(CommandLineFailure) -> ScratchDirectory {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let place = "\(parent.isEmpty ? "/tmp" : parent)/\(name).XXXXXX"
    var template = Array(place.utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandLineFailure(.taken, PathFailure.text("the directory \(place)", "created"))
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let remover = try await ChildProcess.start(script: Self.remove, [path], on: loop)
    return ScratchDirectory(path: path, remover: remover)
  }

  /// The lifeline first, so that the directory is there as long as we are.
  private static let remove = "while read -r _; do :; done; rm -rf \"$1\""

  /// Removes it with all that is in it.
  func stop() async { await remover.stop() }

  /// Removes it where nothing comes of what is put into it.
  func orRemoved<Value: Sendable>(
    _ body: () async throws(CommandLineFailure) -> Value
  ) async throws(CommandLineFailure) -> Value {
    do throws(CommandLineFailure) { return try await body() } catch {
      await stop()
      throw error
    }
  }

  /// Writes a file that only we may read.
  func write(_ text: String, to name: String) throws(CommandLineFailure) -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw CommandLineFailure(.taken, PathFailure.text(file, "written"))
    }
    close(descriptor)
    return file
  }
}
