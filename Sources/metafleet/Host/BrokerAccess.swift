import Dialects
import EventLoops
import FleetModel
import Mosquitto

/// How the configuration's `mqtt` section is said to libmosquitto, for the daemon as for its clients.
extension MosquittoConfiguration {
  init(_ settings: UplinkConfiguration, clientID: String) throws(CommandLineFailure) {
    self.init(settings, named: clientID)
    if let file = settings.passwordFile { password = try SecretFile.firstLine(of: file) }
  }

  /// The same without the password.
  fileprivate init(_ settings: UplinkConfiguration, named clientID: String) {
    self.init(
      host: settings.host, port: UInt16(clamping: settings.effectivePort),
      tls: settings.tls.map {
        TLSFiles(authorities: $0.authority, certificate: $0.certificate, key: $0.key)
      },
      username: settings.username, clientID: clientID, keepalive: settings.keepalive,
      connectTimeout: settings.connectTimeout)
  }
}

extension UplinkConfiguration {
  /// The port, or the usual one.
  var effectivePort: Int { port ?? (tls == nil ? 1883 : 8883) }
}

/// What the daemon's connections with the broker are made of: the section `mqtt` as it counts by now, and the password
/// as its file says it when a connection begins.
final class BrokerAccess: Sendable {
  private let settings: Guarded<UplinkConfiguration>
  private let password: PasswordFile
  private let gateway: String
  private let loop: EventLoop
  /// The gateway's own connection.
  let broker: MosquittoBroker

  /// A password that cannot be used now is a failure.
  init(_ configuration: FleetConfiguration, on loop: EventLoop) throws(CommandLineFailure) {
    let settings = configuration.mqtt
    password = try PasswordFile(settings.passwordFile)
    gateway = configuration.gateway.id
    self.loop = loop
    self.settings = Guarded(settings)
    broker = MosquittoBroker(
      MosquittoConfiguration(settings, named: settings.clientID(of: gateway)), password: password.read,
      on: loop)
  }

  /// The section that counts.
  var current: UplinkConfiguration { settings.withLock { $0 } }

  /// Another section counts for connections that begin from now on.
  func change(to new: UplinkConfiguration) async {
    settings.withLock { $0 = new }
    password.change(to: new.passwordFile)
    await broker.use(MosquittoConfiguration(new, named: new.clientID(of: gateway)))
  }

  /// A connection of another name, beside the gateway's own.
  func anotherBroker(named suffix: String) -> MosquittoBroker {
    let settings = current
    return MosquittoBroker(
      MosquittoConfiguration(settings, named: "\(settings.clientID(of: gateway))-\(suffix)"),
      password: password.read, on: loop)
  }
}
