import BoardKit
import FleetModel
import Glibc
import MetaMotion

/// Decoding logged acceleration, two entries a sample, alone: processor time per sample and allocations per entry. The
/// latter are counted by the library `allocations.c` when it is preloaded.
struct LogDecodeProgram {
  private static let samples = 256
  private static let pages = 100
  /// The best of them counts, because a neighbour on the machine makes some slower and none faster.
  private static let rounds = 100

  func run() throws {
    guard let format = MetaMotionFamily.descriptor.logFormat else { return }
    var decoder = format.makeDecoder([Self.acceleration], [])
    let entries = Self.entries
    var decoded = DecodedLog()
    decode(entries, times: 10, by: &decoder, into: &decoded)
    var best = Double.infinity
    let allocations = Self.allocations
    for _ in 0..<Self.rounds {
      let bill = Bill()
      decode(entries, times: Self.pages, by: &decoder, into: &decoded)
      best = min(best, bill.used * 1e9 / Double(Self.pages * Self.samples))
    }
    let all = Self.rounds * Self.pages * Self.samples
    Bill.report([
      "ns_per_sample": best, "allocations_per_sample": Double(Self.allocations - allocations) / Double(all),
      "samples_per_page": Double(decoded.entries.count),
    ])
  }

  private func decode(
    _ entries: [UInt8], times: Int, by decoder: inout any LogDecoder, into decoded: inout DecodedLog
  ) {
    for _ in 0..<times {
      decoded.removeAll()
      decoder.decode(entries.span.bytes, into: &decoded)
    }
  }

  /// Three signed 16-bit numbers at 4 g, as the family keeps it.
  private static var acceleration: LoggedStream {
    let scale = (8192.0).bitPattern
    let layout = [1, 0, 3, 2, 1, 1] + (0..<8).map { UInt8(truncatingIfNeeded: scale >> (8 * $0)) }
    let fields = StreamCatalogue.find("acceleration")?.stream.fields ?? []
    return LoggedStream(name: "acceleration", fields: fields, slots: [0, 1], layout: layout)
  }

  /// A page of 512 entries.
  private static var entries: [UInt8] {
    (0..<samples).flatMap { sample -> [UInt8] in
      (0..<2).flatMap { slot -> [UInt8] in
        let tick = UInt32(sample * 7)
        return [5 << 5 | UInt8(slot)] + (0..<4).map { UInt8(truncatingIfNeeded: tick >> (8 * $0)) }
          + (0..<4).map { UInt8(truncatingIfNeeded: sample * 37 + $0 * 11) }
      }
    }
  }

  private static var allocations: Int {
    guard let count = dlsym(nil, "allocations") else { return 0 }
    return unsafeBitCast(count, to: (@convention(c) () -> Int).self)()
  }
}
