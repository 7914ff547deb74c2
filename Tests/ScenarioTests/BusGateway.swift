import BlueZ
import BoardKit
import DBus
import EventLoops
import Fleet
import FleetModel
import MetaMotion
import Support

@testable import SeededFaults

/// A gateway whose radio is BlueZ, or who plays it, on some bus.
struct BusGateway: Sendable {
  let timekeeper: LoopTimekeeper
  private let parts: GatewayParts

  init(
    on bus: DBusAddress, loop: EventLoop, store: EventLoop, boards: Int, depth: Depth, seed: UInt64,
    firmware: (any FirmwareSource)? = nil
  ) throws {
    timekeeper = LoopTimekeeper(loop: loop)
    let family = MetaMotionFamily.descriptor
    let radio = BlueZRadio(
      BlueZSetup(services: family.advertisedServices, characteristics: family.requiredCharacteristics),
      on: loop, address: bus, timekeeper: timekeeper)
    parts = try GatewayParts(
      radio: radio, boards: boards, timekeeper: timekeeper, storeExecutor: store, seed: seed,
      rate: depth.sampleRate, firmware: firmware)
  }

  /// Runs the gateway while `body` does something with the broker.
  func run<Result: Sendable>(_ body: @escaping @Sendable (RecordingBroker) async -> Result) async -> Result? {
    await parts.run(body)
  }
}
