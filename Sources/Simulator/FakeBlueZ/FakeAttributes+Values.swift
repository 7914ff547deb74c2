import BoardKit
import DBus
import FleetModel

/// Values that clients read and write by calls.
extension FakeAttributes {
  func readValue(
    _ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation,
    in fake: isolated FakeBlueZ
  ) {
    guard fake.isReady(board) else { return invocation.fail(.notConnected) }
    let offset = invocation.arguments.first?.namedValues?["offset"]?.integer ?? 0
    switch fake.read(key, of: board) {
    case .failure(let error): invocation.fail(.attribute(error))
    case .success(let value) where offset > value.count: invocation.fail(.invalidOffset)
    case .success(let value):
      let rest = DBusValue.bytes(Array(value.dropFirst(offset)))
      // A read looks like a notification to whoever listens to changes.
      fake.objects[0].show(invocation.path, BlueZNames.gattCharacteristic, ["Value": rest])
      invocation.reply([rest])
    }
  }

  func writeValue(
    _ key: Characteristic, of board: BluetoothAddress, _ invocation: DBusInvocation,
    in fake: isolated FakeBlueZ
  ) {
    guard !fake.condition(of: board).ignores(.write) else { return }
    guard fake.isReady(board), let endpoint = endpoint(key, of: board) else {
      return invocation.fail(.notConnected)
    }
    guard endpoint.writeSocket == nil else { return invocation.fail(.writeAcquired) }
    let value = invocation.arguments.first?.byteArray ?? []
    let type = invocation.arguments.last?.namedValues?["type"]?.text
    let canRequest = endpoint.properties.contains(.write)
    let canCommand = endpoint.properties.contains(.writeWithoutResponse)
    switch type {
    case nil where canRequest, "request" where canRequest:
      fake.write(value, to: key, of: board, as: .request, invocation)
    case nil where canCommand, "command" where canCommand:
      guard value.count <= largestPayload(of: board) else { return invocation.fail(.writeNotInitiated) }
      // Answered when it is queued; what comes of it nobody learns.
      invocation.reply()
      fake.write(value, to: key, of: board, as: .command, nil)
    default: invocation.fail(.notSupported)
    }
  }
}
