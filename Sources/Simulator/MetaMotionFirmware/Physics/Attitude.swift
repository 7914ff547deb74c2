import Glibc

/// How a board lies in the world: turned by `yaw` about the upward axis, then by `pitch` about its own y, then by
/// `roll` about its own x; radians, counter-clockwise seen against the axis. The world's axes are east, north, up.
package struct Attitude: Sendable, Equatable {
  package var yaw: Double
  package var pitch: Double
  package var roll: Double

  package init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// A vector of the world as the board sees it.
  package func seen(_ world: SIMD3<Double>) -> SIMD3<Double> {
    let (sy, cy, sp, cp, sr, cr) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch), sin(roll), cos(roll))
    let x = cp * (cy * world.x + sy * world.y) - sp * world.z
    let y = sr * sp * (cy * world.x + sy * world.y) + cr * (cy * world.y - sy * world.x) + sr * cp * world.z
    let z = cr * sp * (cy * world.x + sy * world.y) - sr * (cy * world.y - sy * world.x) + cr * cp * world.z
    return [x, y, z]
  }

  /// Radians per second about the board's own axes, when the angles change at `rates`.
  package func rotation(rates: Attitude) -> SIMD3<Double> {
    let x = rates.roll - rates.yaw * sin(pitch)
    let y = rates.pitch * cos(roll) + rates.yaw * sin(roll) * cos(pitch)
    let z = rates.yaw * cos(roll) * cos(pitch) - rates.pitch * sin(roll)
    return [x, y, z]
  }

  /// The unit quaternion w, x, y, z that turns the board's axes into the world's.
  package var quaternion: SIMD4<Double> {
    let (sy, cy) = (sin(yaw / 2), cos(yaw / 2))
    let (sp, cp) = (sin(pitch / 2), cos(pitch / 2))
    let (sr, cr) = (sin(roll / 2), cos(roll / 2))
    return [
      cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
      cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
    ]
  }

  /// As a fusion library tells it, in degrees: the heading from north clockwise in 0..<360, the angle about x in
  /// -180...180, the angle about y in -90...90.
  package var euler: (heading: Double, pitch: Double, roll: Double) {
    let q = quaternion
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    let aboutX = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    let aboutY = asin(min(max(2 * (w * y - z * x), -1), 1))
    let aboutZ = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    let heading = -aboutZ * Self.degrees
    return (heading < 0 ? heading + 360 : heading, aboutX * Self.degrees, aboutY * Self.degrees)
  }

  /// Degrees between a board's face, or its back, and level, from what its accelerometer shows.
  static func tilt(of acceleration: SIMD3<Double>) -> Double {
    let sideways = (acceleration.x * acceleration.x + acceleration.y * acceleration.y).squareRoot()
    return atan2(sideways, abs(acceleration.z)) * degrees
  }

  package static let degrees = 180 / Double.pi

  static func + (one: Attitude, other: Attitude) -> Attitude {
    Attitude(yaw: one.yaw + other.yaw, pitch: one.pitch + other.pitch, roll: one.roll + other.roll)
  }

  /// The angles that lead from `other` to `one`.
  static func - (one: Attitude, other: Attitude) -> Attitude { one + other * -1 }

  static func * (one: Attitude, factor: Double) -> Attitude {
    Attitude(yaw: one.yaw * factor, pitch: one.pitch * factor, roll: one.roll * factor)
  }
}
