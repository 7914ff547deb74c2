import BoardKit
import FleetModel

/// The barometer of one board (protocol reference, section 21).
struct Barometer: Hashable, Sendable {
  /// The chips there are; they differ in their two longest rests, and one also measures humidity.
  enum Chip: UInt8, Sendable { case bmp280 = 0, bme280 = 1 }

  /// What can be chosen.
  struct Configuration: Hashable, Sendable {
    /// Code 1–5.
    var oversampling: UInt8
    /// Code 0–4.
    var filter: UInt8
    /// Code 0–7.
    var standby: UInt8

    static let oversamplings = ["ultra-low-power", "low-power", "standard", "high", "ultra-high"]
    static let filters: [Double] = [0, 2, 4, 8, 16]

    /// The two bytes. Temperature is measured twice with the highest oversampling of pressure, else once.
    var bytes: [UInt8] {
      let temperature: UInt8 = oversampling == 5 ? 2 : 1
      return [temperature << 5 | oversampling << 2, standby << 5 | filter << 2]
    }

    /// Takes values of the catalogue, which are all there. Throws `invalid` for what this chip does not offer.
    init(_ keys: JSONObject, of stream: String, on chip: Chip) throws(CommandFailure) {
      guard let oversampling = Self.oversamplings.firstIndex(where: { $0 == keys["oversampling"]?.string }),
        let filter = Self.filters.firstIndex(where: { $0 == keys["filter"]?.number }),
        let rest = keys["standby_ms"]?.number
      else { throw .invalid("\(stream) needs oversampling, filter and standby_ms") }
      guard let standby = chip.standbyTimes.firstIndex(of: rest) else {
        let offered = chip.standbyTimes.sorted().map(ParameterType.plain).joined(separator: ", ")
        throw .invalid(
          "standby_ms \(ParameterType.plain(rest)) of \(stream) is not offered by this board; offered \(offered)"
        )
      }
      self.init(oversampling: UInt8(oversampling + 1), filter: UInt8(filter), standby: UInt8(standby))
    }

    init(oversampling: UInt8 = 3, filter: UInt8 = 0, standby: UInt8 = 0) {
      self.oversampling = oversampling
      self.filter = filter
      self.standby = standby
    }

    /// Reads what `bytes` say; nil when they are too short.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 2 else { return nil }
      self.init(
        oversampling: bytes[0] >> 2 & 0x07, filter: bytes[1] >> 2 & 0x07, standby: bytes[1] >> 5)
    }

    /// About how long it takes from one value to the next: rest and conversion.
    func period(on chip: Chip) -> Duration {
      let conversions = [5.5, 5.5, 7.5, 11.5, 19.5, 37.5]
      let conversion = conversions[min(Int(oversampling), conversions.count - 1)]
      return .microseconds(
        Int64((chip.standbyTimes[min(Int(standby), 7)] + conversion) * 1000))
    }
  }

  let chip: Chip

  static let settings = Register(.barometer, 0x03)
  static let sampling = Register(.barometer, 0x04)

  static let start = sampling.write(1, 1)
  static let stop = sampling.write(0, 0)

  /// The chip that the module's implementation number stands for; nil when it is none we know.
  init?(_ info: BoardDescription.Module?) {
    guard let chip = info?.implementation.flatMap(Chip.init(rawValue:)) else { return nil }
    self.chip = chip
  }

  init(chip: Chip) { self.chip = chip }

  func configure(_ configuration: Configuration) -> [UInt8] { Self.settings.write(configuration.bytes) }

  /// Whether it samples, from the answer to a read of `sampling`; nil when it is none.
  static func isSampling(_ reply: [UInt8]) -> Bool? { reply.number(at: 2, as: UInt8.self).map { $0 != 0 } }

  /// What its values need to be fresh: conversion takes at most 44 ms.
  static let warmUp = SensorQuestion.WarmUp(
    status: sampling, isOn: { isSampling($0) }, on: start, off: stop, time: .milliseconds(100))
}

extension Barometer.Chip {
  /// Rests between two measurements in milliseconds, by their code.
  var standbyTimes: [Double] {
    let common: [Double] = [0.5, 62.5, 125, 250, 500, 1000]
    return common + (self == .bmp280 ? [2000, 4000] : [10, 20])
  }
}
