import FleetModel
import Mosquitto

/// How the configuration's `mqtt` section is said to libmosquitto, for the daemon as for its clients.
extension MosquittoConfiguration {
  init(_ settings: UplinkConfiguration, clientID: String) throws(CommandLineFailure) {
    var password: [UInt8]?
    if let file = settings.passwordFile { password = try SecretFile.firstLine(of: file) }
    self.init(
      host: settings.host, port: UInt16(clamping: settings.effectivePort),
      tls: settings.tls.map {
        TLSFiles(authorities: $0.authority, certificate: $0.certificate, key: $0.key)
      },
      username: settings.username, password: password, clientID: clientID, keepalive: settings.keepalive,
      connectTimeout: settings.connectTimeout)
  }
}

extension UplinkConfiguration {
  /// The port, or the usual one.
  var effectivePort: Int { port ?? (tls == nil ? 1883 : 8883) }
}
