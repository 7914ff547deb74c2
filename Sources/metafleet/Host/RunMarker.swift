import FleetModel
import Glibc
import Synchronization

/// The file by which a run tells the next one that it did not end in order: there while it runs, gone once it was
/// stopped. What a crash was by, systemd knows (`ServiceResult`); a signal handler that writes it would be one more
/// thing that can crash.
final class RunMarker: Sendable {
  private struct State {
    var note: RunNote?
    var crash: CrashReport?
  }

  /// More than such files ever have.
  private static let limit = 65_536

  private let directory: String
  private let serviceDirectory: String
  private let boot: String?
  private let state = Mutex(State())

  /// For a run with its state in `directory`, in this start of the computer. `serviceDirectory` is where the service
  /// manager writes, where that is another one.
  init(directory: String, serviceDirectory: String? = nil, boot: String? = RunMarker.bootID) {
    self.directory = directory
    self.serviceDirectory = serviceDirectory ?? directory
    self.boot = boot
  }

  /// How the run before this one ended, once this one has begun; nil where it was stopped in order.
  var crash: CrashReport? { state.withLock(\.crash) }

  /// The directory is ours, and this run begins.
  func begin() {
    let last = content(of: notePath).map { RunNote($0) }
    let service = content(of: servicePath).flatMap { ServiceResult(String(decoding: $0, as: UTF8.self)) }
    let crash = RunNote.crash(last, service, boot: boot)
    let note = RunNote(boot: boot, crashes: crash?.count ?? 0)
    state.withLock { $0 = State(note: note, crash: crash) }
    write(note)
    // Only behind that: who dies in between tells it once more.
    unlink(servicePath)
  }

  /// This run gives up.
  func fail(status: Int, message: String, at now: Timestamp) {
    let note = state.withLock { state -> RunNote? in
      state.note?.failure = RunNote.Failure(
        status: status, message: message.isEmpty ? nil : message, time: now)
      return state.note
    }
    if let note { write(note) }
  }

  /// It was stopped in order.
  func end() {
    guard state.withLock({ $0.note != nil }) else { return }
    unlink(notePath)
  }

  private var notePath: String { "\(directory)/run.json" }
  /// What `ExecStopPost=` of the unit writes.
  private var servicePath: String { "\(serviceDirectory)/last-result" }

  private func content(of path: String) -> [UInt8]? { try? FileContent.read(path, atMost: Self.limit) }

  /// A disk that takes nothing costs the note, and nothing else: the daemon tells of the disk by itself.
  private func write(_ note: RunNote) { try? WholeFile.write(note.bytes, to: notePath) }

  /// Another one each time that the computer starts; nil where there is no /proc.
  static var bootID: String? {
    guard let bytes = try? FileContent.read("/proc/sys/kernel/random/boot_id", atMost: limit) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
  }
}
