import FleetModel
import Simulator

extension BootloaderDefect {
  /// One of those that go wrong with bootloaders in seeded runs. Some leave a board off the air, until somebody takes
  /// its battery out when all is over.
  static func any(using random: inout SeededGenerator) -> BootloaderDefect {
    func one<Element>(of elements: [Element]) -> Element? { elements.randomElement(using: &random) }
    func milliseconds(_ range: ClosedRange<Int>) -> Duration {
      .milliseconds(Int.random(in: range, using: &random))
    }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0: .jump(one(of: Jump.allCases) ?? .ignored, 1)
    case 1: .late(milliseconds(1_000...20_000))
    case 2: .erasing(milliseconds(1_000...20_000))
    case 3: .answer(one(of: [.initPacket, .image, .validate]) ?? .image, .failed, 1)
    case 4: .receipt(one(of: Receipt.allCases) ?? .lost, 1)
    case 5, 6: .linkLost(percent: one(of: [0, 1, 50, 99, 100]) ?? 50)
    case 7: .linkLostAfter(one(of: BootloaderRequest.allCases) ?? .start, 1)
    case 8: .flippedBit(Int.random(in: 1...2, using: &random))
    case 9: .powerLost(percent: Int.random(in: 0...100, using: &random))
    case 10: .activation(one(of: [.lost, .old, .other, .dead]) ?? .lost, 1)
    default: .buffer(Int.random(in: 1...6, using: &random))
    }
  }
}
