import BoardKit

/// The objects that stand for a board's attributes, with handles dealt out as the board's server does: GAP, which
/// BlueZ does not export, then GATT, then the board's own services.
struct AttributeTree: Sendable, Equatable {
  struct Object: Sendable, Equatable {
    let path: String
    let uuid: AttributeUUID
    let kind: Kind
  }

  enum Kind: Sendable, Equatable {
    case service
    case characteristic(Characteristic, AttributeProperties, service: String)
    /// The only descriptor there is: the client characteristic configuration.
    case descriptor(characteristic: String)
  }

  static let genericAccess = AttributeUUID(assigned: 0x1800)
  static let genericAttribute = AttributeUUID(assigned: 0x1801)
  static let clientConfiguration = AttributeUUID(assigned: 0x2902)

  private static let standardServices = [
    AttributeService(
      genericAccess, [0x2A00, 0x2A01, 0x2A04].map { (AttributeUUID(assigned: $0), .read) }),
    AttributeService(genericAttribute, [(AttributeUUID(assigned: 0x2A05), .indicate)]),
  ]

  private(set) var objects: [Object] = []
  /// The services discovered, those that are not exported included.
  let services: [AttributeUUID]
  /// The board's own, of which it was made.
  let boardServices: [AttributeService]

  func isBelow(_ device: String) -> Bool { objects.first?.path.hasPrefix(device + "/") ?? false }

  /// The characteristic that is subscribed to at the handle at which that at `path` was, perhaps in another tree: the
  /// configuration lies behind declaration and value.
  func subscription(atHandleOf path: String) -> Characteristic? {
    guard let handle = UInt16(path.suffix(4), radix: 16) else { return nil }
    let descriptor = "/desc" + BlueZNames.handle(handle + 2)
    let owners = objects.compactMap { object -> String? in
      guard case .descriptor(let characteristic) = object.kind, object.path.hasSuffix(descriptor) else {
        return nil
      }
      return characteristic
    }
    for object in objects where object.path == owners.first {
      if case .characteristic(let key, _, _) = object.kind { return key }
    }
    return nil
  }

  /// The paths in the order in which BlueZ takes them away: service by service, what is below first.
  var pathsBottomUp: [String] {
    var paths: [String] = []
    var (service, characteristic): (String?, String?) = (nil, nil)
    for object in objects {
      switch object.kind {
      case .service:
        paths += [characteristic, service].compactMap { $0 }
        (service, characteristic) = (object.path, nil)
      case .characteristic:
        paths += [characteristic].compactMap { $0 }
        characteristic = object.path
      case .descriptor: paths.append(object.path)
      }
    }
    return paths + [characteristic, service].compactMap { $0 }
  }

  init(of services: [AttributeService], below device: String) {
    boardServices = services
    let all = Self.standardServices + services
    self.services = all.map(\.uuid)
    var handle: UInt16 = 0
    for service in all {
      handle += 1
      let path = device + "/service" + BlueZNames.handle(handle)
      var objects = [Object(path: path, uuid: service.uuid, kind: .service)]
      for attribute in service.characteristics {
        // The declaration names the object, the value has a handle of its own.
        let characteristicPath = path + "/char" + BlueZNames.handle(handle + 1)
        handle += 2
        let key = Characteristic(service: service.uuid, uuid: attribute.uuid)
        objects.append(
          Object(
            path: characteristicPath, uuid: attribute.uuid,
            kind: .characteristic(key, attribute.properties, service: path)))
        guard !attribute.properties.isDisjoint(with: [.notify, .indicate]) else { continue }
        handle += 1
        objects.append(
          Object(
            path: characteristicPath + "/desc" + BlueZNames.handle(handle), uuid: Self.clientConfiguration,
            kind: .descriptor(characteristic: characteristicPath)))
      }
      if service.uuid != Self.genericAccess { self.objects += objects }
    }
  }
}
