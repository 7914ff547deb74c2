import Dialects
import EventLoops
import Mosquitto

/// The file of the password, which is read for each connection; a pipe is read once. While it cannot be used, as
/// somebody is about to write another one perhaps, the password that it held last counts.
final class PasswordFile: Sendable {
  private struct Source: Sendable {
    var path: String?
    /// What it held last; a pipe says nothing a second time.
    var latest: [UInt8]?
    var isPipe = false

    init(_ path: String?) throws(CommandLineFailure) {
      self.path = path
      guard let path else { return }
      latest = try SecretFile.firstLine(of: path)
      isPipe = FileContent.isPipe(path)
    }
  }

  private let source: Guarded<Source>

  /// A password that cannot be used now is a failure.
  init(_ path: String?) throws(CommandLineFailure) { source = Guarded(try Source(path)) }

  /// Another file counts from the next connection on; nil for none.
  func change(to path: String?) {
    guard path != source.withLock({ $0.path }) else { return }
    // A password that cannot be used is said by the connection that needs it.
    let new = try? Source(path)
    source.withLock { source in
      (source.path, source.latest, source.isPipe) = (path, new?.latest, new?.isPipe ?? false)
    }
  }

  /// Reads what counts by now.
  var read: MosquittoBroker.PasswordReader {
    { [self] () throws(BrokerFailure) in
      let now = source.withLock { $0 }
      guard !now.isPipe, let path = now.path else { return now.latest }
      do throws(CommandLineFailure) {
        let password = try SecretFile.firstLine(of: path)
        source.withLock { if $0.path == path { $0.latest = password } }
        return password
      } catch {
        if let latest = now.latest { return latest }
        throw .unusableSecret(error.message)
      }
    }
  }
}
