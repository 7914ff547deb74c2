/// How far we know bluetoothd.
enum BlueZServiceState: Sendable {
  /// Nobody has its name on the bus, or there is no bus.
  case absent
  /// Somebody of this unique name has, and has not listed its objects yet.
  case named(String)
  /// Its objects are known.
  case listed(BlueZService)

  /// The unique name of bluetoothd; signals of others are not heard.
  var owner: String? {
    switch self {
    case .absent: nil
    case .named(let owner): owner
    case .listed(let service): service.owner
    }
  }

  /// bluetoothd, while its objects are known.
  var service: BlueZService? { if case .listed(let service) = self { service } else { nil } }
}
