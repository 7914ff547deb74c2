import BoardKit

/// What the counts of the inertial sensors mean at present: counts per g and per °/s.
struct SignalScales: Hashable, Sendable {
  var acceleration = 16_384.0
  var rotation = 16.4

  init(acceleration: Double = 16_384, rotation: Double = 16.4) {
    (self.acceleration, self.rotation) = (acceleration, rotation)
  }

  /// Reads the answers to reads of both configurations; what cannot be read stays at the chips' start (protocol
  /// reference, sections 8.2, 9.2 and 22).
  init(accelerometer reply: [UInt8]?, gyroscope: [UInt8]?, chip: Accelerometer.Chip?) {
    let ranges: [UInt8: Double] =
      chip == .bmi270 ? [0: 2, 1: 4, 2: 8, 3: 16] : [0x03: 2, 0x05: 4, 0x08: 8, 0x0C: 16]
    if let code = reply?.number(at: 3, as: UInt8.self), let range = ranges[code & 0xF] {
      acceleration = 32_768 / range
    }
    // 2000 °/s halves with each step of the code.
    if let code = gyroscope?.number(at: 3, as: UInt8.self).map({ $0 & 0b111 }), code <= 4 {
      rotation = 16.4 * Double(1 << code)
    }
  }
}
