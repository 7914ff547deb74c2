import BoardKit
import DBus
import FleetModel

/// The mirror of what org.bluez exports: signals in, changes out. Keyed by addresses and by the references between
/// objects, never by how paths begin: `hci1` is not a part of `hci10` (fault F17).
struct BlueZTree: Sendable {
  enum Change: Hashable, Sendable {
    /// Appeared, or something about it changed.
    case adapter(AdapterID)
    case adapterGone(AdapterID)
    /// Appeared, or something about it or its services changed.
    case device(DeviceKey)
    case deviceGone(DeviceKey)
    /// Heard just now. What was there when we came may have been heard long ago.
    case advertised(DeviceKey)
    case connection(DeviceKey, isConnected: Bool)
    /// The value of a characteristic, at its path: a notification, or what somebody has read.
    case value(DeviceKey, path: String, [UInt8])
  }

  private var adapters: [String: AdapterObject] = [:]
  private var devices: [String: DeviceObject] = [:]
  private var attributes = AttributeTree()

  /// Adapters that have said their address.
  var adapterIDs: Set<AdapterID> { Set(adapters.values.compactMap(\.id)) }

  /// Boards that are connected, over any adapter.
  var connectedBoards: Set<BoardID> { Set(devices.values.lazy.filter(\.isConnected).compactMap(\.board)) }

  /// Names of those without an address, such as `hci1`.
  var adaptersWithoutAddress: [String] { adapters.values.filter { $0.id == nil }.map(\.name).sorted() }

  func adapter(_ id: AdapterID) -> AdapterObject? { adapters.values.first { $0.id == id } }

  func device(_ key: DeviceKey) -> DeviceObject? {
    devices.values.first { $0.board == key.board && adapters[$0.adapterPath]?.id == key.adapter }
  }

  /// Paths of a device's characteristics.
  func characteristics(of key: DeviceKey) -> [Characteristic: String] {
    device(key).map { attributes.characteristics(ofDevice: $0.path) } ?? [:]
  }
}

// What happens to it.
extension BlueZTree {
  /// Takes a signal of the service. Others, and such as make no sense, change nothing.
  mutating func apply(_ signal: DBusSignal) -> [Change] {
    let arguments = signal.arguments
    switch (signal.interface, signal.member) {
    case (BlueZNames.properties, "PropertiesChanged"):
      guard arguments.count == 3, let interface = arguments[0].text, let values = arguments[1].namedValues
      else {
        return []
      }
      let invalidated = arguments[2].elements?.compactMap(\.text) ?? []
      return update(signal.path, interface, values, invalidated: invalidated, isSignal: true)
    case (BlueZNames.objectManager, "InterfacesAdded"):
      guard arguments.count == 2, let path = arguments[0].text, let interfaces = arguments[1].namedValues
      else {
        return []
      }
      return add(path, interfaces, isSignal: true)
    case (BlueZNames.objectManager, "InterfacesRemoved"):
      guard arguments.count == 2, let path = arguments[0].text, let names = arguments[1].elements else {
        return []
      }
      return names.compactMap(\.text).flatMap { remove(path, $0) }
    default: return []
    }
  }

  /// Takes properties that were asked for.
  mutating func update(_ path: String, _ interface: String, _ values: [String: DBusValue]) -> [Change] {
    update(path, interface, values, invalidated: [], isSignal: false)
  }

  /// Takes a complete listing in place of everything known before; with nothing in it, the service is gone.
  mutating func replace(with listing: DBusValue?) -> [Change] {
    let old = self
    self = BlueZTree()
    for (path, interfaces) in listing?.namedValues ?? [:] {
      if let interfaces = interfaces.namedValues { _ = add(path, interfaces, isSignal: false) }
    }
    return differences(from: old)
  }

  private mutating func add(_ path: String, _ interfaces: [String: DBusValue], isSignal: Bool) -> [Change] {
    var changes: [Change] = []
    for (name, properties) in interfaces {
      guard let values = properties.namedValues else { continue }
      switch name {
      case BlueZNames.adapter: if adapters[path] == nil { adapters[path] = AdapterObject(path: path) }
      case BlueZNames.device: if devices[path] == nil { devices[path] = DeviceObject(path: path) }
      case BlueZNames.gattService: attributes.addService(path, values)
      case BlueZNames.gattCharacteristic: attributes.addCharacteristic(path, values)
      default: continue
      }
      changes += update(path, name, values, invalidated: [], isSignal: isSignal)
    }
    return changes
  }

  private mutating func remove(_ path: String, _ interface: String) -> [Change] {
    switch interface {
    case BlueZNames.adapter: return adapters.removeValue(forKey: path)?.id.map { [.adapterGone($0)] } ?? []
    case BlueZNames.device:
      guard let device = devices[path], let key = key(device) else {
        devices[path] = nil
        return []
      }
      devices[path] = nil
      return (device.isConnected ? [.connection(key, isConnected: false)] : []) + [.deviceGone(key)]
    case BlueZNames.gattService, BlueZNames.gattCharacteristic:
      let device = attributes.device(of: path)
      attributes.remove(path)
      return device.map(deviceChanged) ?? []
    default: return []
    }
  }

  private mutating func update(
    _ path: String, _ interface: String, _ values: [String: DBusValue], invalidated: [String], isSignal: Bool
  ) -> [Change] {
    switch interface {
    case BlueZNames.adapter:
      guard var adapter = adapters[path] else { return [] }
      let earlier = adapter.id
      adapter.update(values)
      guard adapters.updateValue(adapter, forKey: path) != adapter else { return [] }
      if let id = adapter.id { return [.adapter(id)] }
      return earlier.map { [.adapterGone($0)] } ?? []
    case BlueZNames.device:
      guard var device = devices[path] else { return [] }
      let (wasConnected, isNew) = (device.isConnected, device.board == nil)
      device.update(values, invalidated: invalidated)
      devices[path] = device
      guard let key = key(device) else { return [] }
      var changes: [Change] = [.device(key)]
      if device.isConnected != wasConnected {
        changes.append(.connection(key, isConnected: device.isConnected))
      }
      if isSignal, DeviceObject.isReceived(values) || isNew && !device.isConnected {
        changes.append(.advertised(key))
      }
      return changes
    case BlueZNames.gattCharacteristic:
      guard let device = attributes.device(of: path).flatMap({ devices[$0] }), let key = key(device) else {
        return []
      }
      if isSignal, let bytes = values["Value"]?.byteArray { return [.value(key, path: path, bytes)] }
      return [.device(key)]
    case BlueZNames.gattService: return attributes.device(of: path).map(deviceChanged) ?? []
    default: return []
    }
  }

  private func deviceChanged(_ path: String) -> [Change] {
    devices[path].flatMap(key).map { [.device($0)] } ?? []
  }

  /// nil while the device or its adapter has not said its address.
  private func key(_ device: DeviceObject) -> DeviceKey? {
    guard let board = device.board, let adapter = adapters[device.adapterPath]?.id else { return nil }
    return DeviceKey(board: board, adapter: adapter)
  }

  private func differences(from old: BlueZTree) -> [Change] {
    var changes: [Change] = []
    let (before, after) = (old.devicesByKey, devicesByKey)
    for (key, device) in before {
      let new = after[key]
      if device.isConnected, new?.isConnected != true { changes.append(.connection(key, isConnected: false)) }
      if new == nil { changes.append(.deviceGone(key)) }
    }
    changes += old.adapterIDs.subtracting(adapterIDs).map { .adapterGone($0) }
    changes += adapterIDs.filter { adapter($0) != old.adapter($0) }.map { .adapter($0) }
    for (key, device) in after {
      if before[key] != device { changes.append(.device(key)) }
      if device.isConnected, before[key]?.isConnected != true {
        changes.append(.connection(key, isConnected: true))
      }
    }
    return changes
  }

  var devicesByKey: [DeviceKey: DeviceObject] {
    Dictionary(devices.values.compactMap { device in key(device).map { ($0, device) } }) { first, _ in first }
  }
}
