import BoardKit
import FleetModel

/// How well sensor fusion knows its sensors (protocol reference, section 26.4).
struct FusionCalibration: Hashable, Sendable {
  /// 0 unreliable, 1 low, 2 medium, 3 high.
  var acceleration, gyroscope, magnetometer: UInt8

  /// Reads the answer to a read of the state; nil when it is none.
  init?(_ reply: [UInt8]) {
    guard reply.count >= 5 else { return nil }
    (acceleration, gyroscope, magnetometer) = (reply[2], reply[3], reply[4])
  }

  /// What fusion has learnt of one sensor: three offsets, a radius and an accuracy, as the board keeps them.
  struct Block: Hashable, Sendable {
    /// The sensors, in the order of their registers.
    enum Sensor: UInt8, Sendable, CaseIterable {
      case acceleration, gyroscope, magnetometer

      var register: Register { Register(.sensorFusion, 0x0C + rawValue) }

      /// The contract's word for the block.
      var key: String {
        switch self {
        case .acceleration: "acceleration_block"
        case .gyroscope: "gyroscope_block"
        case .magnetometer: "magnetometer_block"
        }
      }
    }

    static let length = 10

    let sensor: Sensor
    let bytes: [UInt8]

    /// Takes ten bytes; nil for any other number.
    init?(_ sensor: Sensor, _ bytes: [UInt8]) {
      guard bytes.count == Self.length else { return nil }
      self.sensor = sensor
      self.bytes = bytes
    }

    /// Reads the answer to a read of the sensor's register; nil when it is none.
    init?(_ sensor: Sensor, reply: [UInt8]) {
      self.init(sensor, Array(reply.dropFirst(2).prefix(Self.length)))
    }

    /// The last of the five numbers.
    var accuracy: Int16 { bytes.number(at: 8, as: Int16.self) ?? 0 }

    /// Whether the board may be given it: it crashes when it loads a magnetometer's of accuracy below 3 (trap T70).
    var isSafe: Bool { sensor != .magnetometer || accuracy >= 3 }

    /// Hands it to the board, whatever it holds; whether that is wise is decided above.
    var command: [UInt8] { sensor.register.write(bytes) }
  }
}
