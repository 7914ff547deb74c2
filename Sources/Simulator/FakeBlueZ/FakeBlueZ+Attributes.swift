import BoardKit
import DBus
import FleetModel

/// The objects of a board's attributes. They stay when the link goes, as long as the device does.
extension FakeBlueZ {
  /// Every link is opened with this; a payload is three bytes shorter.
  static let mtu: UInt16 = 247
  static let largestPayload = Int(mtu) - 3

  func exportAttributes(of board: BluetoothAddress) {
    let tree = AttributeTree(of: services(of: board), below: path(of: board))
    if trees[board] != tree {
      removeAttributes(of: board)
      trees[board] = tree
      endpoints[board] = tree.objects.compactMap { object in
        guard case .characteristic(let key, let properties, _) = object.kind else { return nil }
        return Endpoint(path: object.path, key: key, properties: properties)
      }
      for object in tree.objects {
        server.assumeIsolated { [interface = interface(of: object, board)] in
          $0.export([interface], at: object.path)
        }
      }
    }
    resumeNotifying(board)
    exportBattery(of: board)
  }

  func removeAttributes(of board: BluetoothAddress) {
    releaseSockets(of: board)
    endpoints[board] = nil
    for path in trees.removeValue(forKey: board)?.pathsBottomUp ?? [] {
      server.assumeIsolated { $0.remove(at: path) }
    }
  }

  private func exportBattery(of board: BluetoothAddress) {
    guard case .success(let value) = read(MetaMotionAttributes.batteryLevel, of: board),
      let percent = value.first
    else { return }
    server.assumeIsolated { [path = path(of: board)] in
      $0.export(
        [DBusInterface(BlueZNames.battery, properties: ["Percentage": .byte(percent)])], at: path)
    }
  }

  private func interface(of object: AttributeTree.Object, _ board: BluetoothAddress) -> DBusInterface {
    switch object.kind {
    case .service:
      return DBusInterface(
        BlueZNames.gattService,
        properties: [
          "UUID": .string(object.uuid.description), "Device": .objectPath(path(of: board)),
          "Primary": .boolean(true), "Includes": .array(of: "o", []),
        ])
    case .characteristic(let key, let properties, let service):
      return DBusInterface(
        BlueZNames.gattCharacteristic, properties: Self.shown(key, properties, service),
        methods: methods(of: key, board))
    case .descriptor(let characteristic):
      return DBusInterface(
        BlueZNames.gattDescriptor,
        properties: [
          "UUID": .string(object.uuid.description), "Characteristic": .objectPath(characteristic),
          "Value": .bytes([]),
        ],
        methods: [
          method("ReadValue", takes: "a{sv}", gives: "ay") { fake, invocation in
            guard fake.isReady(board) else { return invocation.fail(.notConnected) }
            let isOn = fake.endpoints[board]?.first { $0.path == characteristic }?.isNotifying ?? false
            invocation.reply([.bytes([isOn ? 1 : 0, 0])])
          },
          // Clients subscribe through the characteristic.
          method("WriteValue", takes: "aya{sv}") { _, invocation in invocation.fail(.descriptorWriteRefused)
          },
        ])
    }
  }

  private static func shown(
    _ key: Characteristic, _ properties: AttributeProperties, _ service: String
  ) -> [String: DBusValue] {
    let flags: [(AttributeProperties, String)] = [
      (.read, "read"), (.writeWithoutResponse, "write-without-response"), (.write, "write"),
      (.notify, "notify"), (.indicate, "indicate"),
    ]
    var shown: [String: DBusValue] = [
      "UUID": .string(key.uuid.description), "Service": .objectPath(service), "Value": .bytes([]),
      "Flags": .strings(flags.filter { properties.contains($0.0) }.map(\.1)), "MTU": .uint16(mtu),
    ]
    if !properties.isDisjoint(with: [.notify, .indicate]) { shown["Notifying"] = .boolean(false) }
    if properties.contains(.notify) { shown["NotifyAcquired"] = .boolean(false) }
    if properties.contains(.writeWithoutResponse) { shown["WriteAcquired"] = .boolean(false) }
    return shown
  }

  private func methods(of key: Characteristic, _ board: BluetoothAddress) -> [DBusMethod] {
    [
      method("ReadValue", takes: "a{sv}", gives: "ay") { $0.readValue(key, of: board, $1) },
      method("WriteValue", takes: "aya{sv}") { $0.writeValue(key, of: board, $1) },
      method("AcquireWrite", takes: "a{sv}", gives: "hq") { $0.acquireWrite(key, of: board, $1) },
      method("AcquireNotify", takes: "a{sv}", gives: "hq") { $0.acquireNotify(key, of: board, $1) },
      method("StartNotify") { $0.startNotify(key, of: board, $1) },
      method("StopNotify") { $0.stopNotify(key, of: board, $1) },
    ]
  }
}

// Values.
extension FakeBlueZ {
  private func readValue(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard isReady(board) else { return invocation.fail(.notConnected) }
    let offset = invocation.arguments.first?.namedValues?["offset"]?.integer ?? 0
    switch read(key, of: board) {
    case .failure(let error): invocation.fail(.attribute(error))
    case .success(let value) where offset > value.count: invocation.fail(.invalidOffset)
    case .success(let value):
      let rest = DBusValue.bytes(Array(value.dropFirst(offset)))
      // A read looks like a notification to whoever listens to changes.
      show(invocation.path, BlueZNames.gattCharacteristic, ["Value": rest])
      invocation.reply([rest])
    }
  }

  private func writeValue(_ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation) {
    guard !condition(of: board).ignores(.write) else { return }
    guard isReady(board), let endpoint = endpoint(key, of: board) else {
      return invocation.fail(.notConnected)
    }
    guard endpoint.writeSocket == nil else { return invocation.fail(.writeAcquired) }
    let value = invocation.arguments.first?.byteArray ?? []
    let type = invocation.arguments.last?.namedValues?["type"]?.text
    let canRequest = endpoint.properties.contains(.write)
    let canCommand = endpoint.properties.contains(.writeWithoutResponse)
    switch type {
    case nil where canRequest, "request" where canRequest:
      write(value, to: key, of: board, as: .request, invocation)
    case nil where canCommand, "command" where canCommand:
      guard value.count <= Self.largestPayload else { return invocation.fail(.writeNotInitiated) }
      // Answered when it is queued; what comes of it nobody learns.
      invocation.reply()
      write(value, to: key, of: board, as: .command, nil)
    default: invocation.fail(.notSupported)
    }
  }

  func write(
    _ value: [UInt8], to key: Characteristic, of board: BluetoothAddress, as kind: WriteKind,
    _ invocation: DBusInvocation?
  ) {
    var refusal: AttributeError?
    change(board) { board, now in
      do throws(AttributeError) {
        return try board.write(value, to: key, as: kind, at: now)
      } catch {
        refusal = error
        return []
      }
    }
    if let refusal { invocation?.fail(.attribute(refusal)) } else { invocation?.reply() }
  }

  private func read(_ key: Characteristic, of board: BluetoothAddress) -> Result<[UInt8], AttributeError> {
    var outcome: Result<[UInt8], AttributeError> = .failure(.attributeNotFound)
    change(board) { board, now in
      outcome = Result { () throws(AttributeError) in try board.read(key, at: now) }
      return []
    }
    return outcome
  }

  func endpoint(_ key: Characteristic, of board: BluetoothAddress) -> Endpoint? {
    endpoints[board]?.first { $0.key == key }
  }
}
