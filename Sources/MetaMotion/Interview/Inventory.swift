import BoardKit
import FleetModel

/// What an interview found out, in the driver's own terms: what the board is, and which of our codecs fit it.
struct Inventory: Hashable, Sendable {
  let device: DeviceInformation
  let model: BoardModel
  let modules: [Module: BoardDescription.Module]
  /// Nil when the chip is none we know.
  let accelerometer: Accelerometer?
  /// Nil when the module is none we know.
  let temperature: Temperature?
  /// By how much a BMI270 thins its samples out, as far as this gateway had it do so.
  var downsampling = Downsampling(acceleration: 0, gyroscope: 0)

  /// Judges what was found; a model we do not know is left alone.
  init(device: DeviceInformation, modules: [Module: BoardDescription.Module]) throws(ProtocolFailure) {
    self.device = device
    self.modules = modules
    model = try BoardModel(
      modelNumber: device.modelNumber, hasAmbientLight: modules[.ambientLight]?.isPresent ?? false)
    accelerometer = modules[.accelerometer].flatMap { Accelerometer($0) }
    temperature = modules[.temperature].flatMap { Temperature($0) }
  }

  /// The module's revision; nil when the board lacks the module.
  func revision(of module: Module) -> UInt8? { modules[module]?.revision }

  /// Whether the module is there, at `revision` or later.
  func has(_ module: Module, from revision: UInt8 = 0) -> Bool {
    self.revision(of: module).map { $0 >= revision } ?? false
  }

  /// The description for everybody else.
  var description: BoardDescription {
    BoardDescription(
      model: model.rawValue, modelNumber: device.modelNumber, manufacturer: device.manufacturer,
      serialNumber: device.serialNumber, hardwareRevision: device.hardwareRevision,
      firmwareRevision: device.firmwareRevision, imu: accelerometer?.chip.rawValue,
      modules: Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $1) }), slots: slots,
      streams: StreamOffers(self).streams)
  }

  /// Entries that the log holds; nil of a board that does not tell.
  var logCapacity: Int? { modules[.logging]?.extra.number(at: 1, as: UInt32.self).map(Int.init) }

  /// Entries of a page of the log, where the board tells that (from revision 3 on; protocol reference, section 16.1).
  var logPageSize: Int? {
    modules[.logging]?.extra.number(at: 5, as: UInt16.self).flatMap { $0 > 0 ? Int($0) : nil }
  }

  /// What the extra bytes say about room (protocol reference, sections 3.2 and 16.1).
  private var slots: BoardDescription.Slots {
    func room(_ module: Module) -> Int? { modules[module]?.extra.first.map(Int.init) }
    return .init(
      loggers: room(.logging), processors: room(.processor), events: room(.event), timers: room(.timer),
      macros: room(.macro), logEntries: logCapacity)
  }
}
