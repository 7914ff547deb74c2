import Glibc

/// What `Tests/BlueZLab/soak` asks for, from the environment of the guest.
struct SoakOptions: Sendable {
  let seconds: Int
  let boards: Int
  let seed: UInt64

  /// Nil where nobody asks.
  static let asked: SoakOptions? = number("BLUEZ_LAB_SOAK").map {
    SoakOptions(
      seconds: $0, boards: number("BLUEZ_LAB_BOARDS") ?? 20,
      seed: number("BLUEZ_LAB_SEED").map { UInt64($0) } ?? UInt64.random(in: 1...999_999))
  }

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
