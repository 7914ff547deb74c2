/// Puts the values of buffers behind each value of its own.
struct FuserProcessor: DataProcessor {
  private static let mostCompanions = 12

  let companions: [UInt8]

  init?(configuration: [UInt8]) {
    guard configuration.count == Self.mostCompanions + 1 else { return nil }
    let count = Int(configuration[0] & 0x1F)
    guard count <= Self.mostCompanions else { return nil }
    companions = Array(configuration[1...].prefix(count))
  }

  mutating func process(_ input: [UInt8], _ moment: ProcessorMoment) -> [UInt8]? {
    input + moment.companions.flatMap { $0 }
  }
}
