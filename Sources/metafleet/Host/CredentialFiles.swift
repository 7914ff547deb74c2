import EventLoops
import Fleet
import FleetModel
import Logging
import Mosquitto

/// Looks at the files that the section `mqtt` names, again and again, and has the gateway connect anew where they hold
/// something else: nobody has to restart it for a new password or certificate.
final class CredentialFiles: Sendable {
  /// More is neither a password nor a certificate.
  private static let largest = 4_000_000

  private let access: BrokerAccess
  private let timekeeper: any Timekeeper
  private let log: Logger
  private let waker = TaskWaker()
  private let isReloaded = Guarded(false)

  init(of access: BrokerAccess, timekeeper: any Timekeeper, log: Logger) {
    (self.access, self.timekeeper, self.log) = (access, timekeeper, log)
  }

  /// The configuration was read again: what the files hold now is what they are meant to.
  func reloaded() {
    isReloaded.withLock { $0 = true }
    waker.wake()
  }

  /// Looks until it is cancelled.
  func run(for gateway: Gateway) async {
    var watch = CredentialWatch(Self.look(access.current))
    while !Task.isCancelled {
      await waker.sleep(atMost: CredentialWatch.pause, by: timekeeper)
      let isCertain = isReloaded.withLock { isReloaded in
        defer { isReloaded = false }
        return isReloaded
      }
      switch watch.take(Self.look(access.current), isCertain: isCertain) {
      case .same: break
      case .changed(let what): await ConnectionRenewal.run(because: what, for: gateway)
      case .unusable(let why):
        log.warning(
          "a file of the section mqtt cannot be used; the connection to the broker stays as it is",
          metadata: ["reason": "\(why)"])
      }
    }
  }

  /// What they hold now; of pipes nobody knows.
  static func look(_ settings: UplinkConfiguration) -> CredentialWatch.Look {
    var look = CredentialWatch.Look()
    if let file = settings.passwordFile, !FileContent.isPipe(file) {
      look["the password file \(file)"] = content(of: file, as: .password)
    }
    let tls = settings.tls
    for (file, kind, name) in [
      (tls?.authority, CredentialKind.authority, "the file of authorities"),
      (tls?.certificate, .certificate, "the client certificate"), (tls?.key, .key, "its key"),
    ] {
      if let file, !FileContent.isPipe(file) { look["\(name) \(file)"] = content(of: file, as: kind) }
    }
    if let certificate = tls?.certificate, let key = tls?.key,
      case .hash? = look["its key \(key)"],
      !TLSFiles(certificate: certificate, key: key).areMatching
    {
      look["its key \(key)"] = .unusable("the key \(key) does not belong to the certificate \(certificate)")
    }
    return look
  }

  private static func content(of file: String, as kind: CredentialKind) -> CredentialWatch.Content {
    do throws(Refusal) {
      let path = try FileReferences.ofOptions.file(file, isSecret: kind.isSecret)
      let bytes: [UInt8]
      do throws(FileContent.Failure) { bytes = try FileContent.read(path, atMost: largest) } catch {
        throw Refusal(error.text(path))
      }
      try kind.check(bytes, in: path)
      return .hash(SHA256.digest(of: bytes))
    } catch {
      return .unusable(error.hint ?? "\(file) cannot be used")
    }
  }
}
