import BoardKit
import DBus

/// The services and characteristics of all devices. Each names the object it belongs to, so it does not matter
/// which of them is announced first.
struct AttributeTree: Sendable {
  private var services: [String: [String: AttributeUUID]] = [:]
  private var characteristics: [String: [String: AttributeUUID]] = [:]
  private var parents: [String: String] = [:]

  mutating func addService(_ path: String, _ properties: [String: DBusValue]) {
    guard let uuid = properties["UUID"]?.text, let device = properties["Device"]?.text else { return }
    services[device, default: [:]][path] = AttributeUUID(uuid)
    parents[path] = device
  }

  mutating func addCharacteristic(_ path: String, _ properties: [String: DBusValue]) {
    guard let uuid = properties["UUID"]?.text, let service = properties["Service"]?.text else { return }
    characteristics[service, default: [:]][path] = AttributeUUID(uuid)
    parents[path] = service
  }

  /// Either kind.
  mutating func remove(_ path: String) {
    guard let parent = parents.removeValue(forKey: path) else { return }
    services[parent]?[path] = nil
    characteristics[parent]?[path] = nil
    if services[parent]?.isEmpty == true { services[parent] = nil }
    if characteristics[parent]?.isEmpty == true { characteristics[parent] = nil }
  }

  func characteristics(ofDevice device: String) -> [Characteristic: String] {
    var paths: [Characteristic: String] = [:]
    for (servicePath, service) in services[device] ?? [:] {
      for (path, uuid) in characteristics[servicePath] ?? [:] {
        paths[Characteristic(service: service, uuid: uuid)] = path
      }
    }
    return paths
  }

  /// The path of the device that a service or characteristic belongs to.
  func device(of path: String) -> String? {
    guard let parent = parents[path] else { return nil }
    return parents[parent] ?? (services[parent]?[path] != nil ? parent : nil)
  }
}
