import BoardKit
import FleetModel

/// Finds out who is there (protocol reference, section 3.1). It only reads.
struct Interviewer {
  let exchange: Exchange

  /// The whole interview. A board that `memory` fits is asked for its strings and its clock only.
  func interview(
    remembering memory: [UInt8]?
  ) async throws(ProtocolFailure) -> (interview: Interview, inventory: Inventory) {
    let device = try await deviceInformation()
    var replies: [Module: [UInt8]]
    if let known = memory.flatMap({ InterviewMemory($0) }), known.fits(device) {
      replies = known.replies
    } else {
      // Nobody is asked 21 questions who is not one of ours.
      _ = try BoardModel(modelNumber: device.modelNumber, hasAmbientLight: true)
      replies = [:]
      for module in Module.allCases { replies[module] = try await information(of: module) }
    }
    let inventory = try Inventory(device: device, modules: replies.compactMapValues(ModuleInfo.decode))
    let clock = try await logClock()
    let interview = Interview(
      description: inventory.description, memory: InterviewMemory(device: device, replies: replies).encoded,
      resetID: Int(clock.now.resetID), bootTime: clock.now.bootTime(arrival: clock.arrival))
    return (interview, inventory)
  }

  /// Reads the strings of the device information service, all at once.
  func deviceInformation() async throws(ProtocolFailure) -> DeviceInformation {
    let values = try await exchange.conversation.read([
      Attributes.firmwareRevision, Attributes.modelNumber, Attributes.hardwareRevision,
      Attributes.manufacturer, Attributes.serialNumber,
    ])
    return DeviceInformation(
      firmwareRevision: values[0], modelNumber: values[1], hardwareRevision: values[2],
      manufacturer: values[3], serialNumber: values[4])
  }

  /// Asks one module what it is; the reply as received, known to be readable.
  func information(of module: Module) async throws(ProtocolFailure) -> [UInt8] {
    let reply = try await exchange.ask(ModuleInfo.register(of: module))
    guard ModuleInfo.decode(reply) != nil else {
      throw .unreadable(reply, as: "information of the module \(module.name)")
    }
    return reply
  }

  /// Reads the board's clock, and ours when the answer came.
  func logClock() async throws(ProtocolFailure) -> (now: LogClock, arrival: Timestamp) {
    let reply = try await exchange.ask(LogClock.now)
    let arrival = exchange.conversation.now
    guard let now = LogClock(reply) else {
      throw .unreadable(reply, as: "the board's clock")
    }
    return (now, arrival)
  }
}
