import Testing

@testable import Simulator

struct ReadFormTests {
  private func board(_ model: BoardModel, _ routing: FirmwareAssumptions.ReadRouting = .byFirmware)
    -> Mainboard
  {
    var assumptions = FirmwareAssumptions()
    assumptions.readRouting = routing
    return Mainboard(
      model: model, identity: BoardIdentity(number: 1), assumptions: assumptions,
      surroundings: .init(motion: Motion(seed: 1), climate: Climate(seed: 1), noise: SensorNoise(seed: 1)),
      battery: Battery(seed: 1, at: .zero), now: .zero, start: .init(time: .zero, resetCount: 0),
      sensors: .init())
  }

  private let loud = SignalSource(module: 4, register: 0x81, index: 0)
  private let silent = SignalSource(module: 4, register: 0xC1, index: 0)

  @Test func `Current firmware gives loud reads to processors and silent ones to loggers`() {
    let board = board(.s)
    #expect(ReadForm.reaches(loud, from: loud, as: .processor, on: board))
    #expect(ReadForm.reaches(silent, from: silent, as: .logger, on: board))
    for signal in [loud, silent] {
      #expect(!ReadForm.reaches(silent, from: signal, as: .processor, on: board))
      #expect(!ReadForm.reaches(loud, from: signal, as: .logger, on: board))
    }
    #expect(!ReadForm.reaches(loud, from: silent, as: .processor, on: board))
    #expect(!ReadForm.reaches(silent, from: loud, as: .logger, on: board))
  }

  @Test func `Older firmware, or a lenient one, gives both to both`() {
    for board in [board(.r), board(.s, .lenient)] {
      for (source, signal) in [(loud, loud), (loud, silent), (silent, loud), (silent, silent)] {
        #expect(ReadForm.reaches(source, from: signal, as: .processor, on: board))
        #expect(ReadForm.reaches(source, from: signal, as: .logger, on: board))
      }
    }
    #expect(!ReadForm.reaches(silent, from: loud, as: .processor, on: board(.r, .strict)))
  }

  @Test func `What fires reaches its own consumers only`() {
    let board = board(.s)
    let fired = SignalSource(module: 3, register: 4)
    #expect(ReadForm.reaches(fired, from: fired, as: .logger, on: board))
    #expect(
      !ReadForm.reaches(fired, from: SignalSource(module: 3, register: 0x84), as: .processor, on: board))
    #expect(
      !ReadForm.reaches(
        loud, from: SignalSource(module: 4, register: 0x81, index: 1), as: .processor, on: board))
  }
}
