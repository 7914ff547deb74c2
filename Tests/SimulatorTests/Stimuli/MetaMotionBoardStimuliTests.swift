import BoardKit
import FleetModel
import Testing

@testable import Simulator

/// What somebody does with a board, as its chips show it.
struct MetaMotionBoardStimuliTests {
  /// A board that lies still, connected and driven with packets as text.
  private struct Play {
    var board: MetaMotionBoard
    var now = Duration.zero

    init(_ model: BoardModel, _ packets: String...) {
      board = MetaMotionBoard(
        Firmware(model: model, identity: BoardIdentity(number: 1), seed: 1, style: .resting))
      _ = board.connected(at: now)
      for packet in packets { _ = write(packet) }
    }

    /// What is notified because of it; nothing for what the board refuses.
    @discardableResult
    mutating func write(_ packet: String) -> [String] {
      let effects = try? board.write(
        [UInt8](hex: packet), to: MetaMotionAttributes.command, as: .command, at: now)
      return Self.packets(effects ?? [])
    }

    mutating func feel(_ stimulus: Stimulus) -> [String] { Self.packets(board.feel(stimulus, at: now)) }

    mutating func advance(by duration: Duration) -> [String] {
      let end = now + duration
      var heard: [String] = []
      while let next = board.nextEvent, next <= end { heard += Self.packets(board.advance(to: next)) }
      now = end
      return heard + Self.packets(board.advance(to: end))
    }

    private static func packets(_ effects: [BoardEffect]) -> [String] {
      effects.compactMap {
        if case .notify(MetaMotionAttributes.notification, let bytes) = $0 { bytes.hex } else { nil }
      }
    }
  }

  @Test func `A press and its release are told where somebody listens`() {
    var play = Play(.s)
    #expect(play.feel(.press) == [])
    #expect(play.write("01 81") == ["01 81 01"])
    play.write("01 01 01")
    #expect(play.feel(.press) == [], "it is down already")
    #expect(play.feel(.release) == ["01 01 00"])
    #expect(play.feel(.press) == ["01 01 01"])
  }

  @Test func `A BMI160 recognises one tap and two, by what its detector is set to`() {
    var play = Play(.rl, "03 03 28 0C", "03 0D 04 04", "03 0C 03 00", "03 0E 01", "03 01 01")
    _ = play.advance(by: .seconds(2))
    #expect(play.feel(.motion(.tap)) == [], "a finger has only just touched it")
    #expect(play.advance(by: .seconds(2)) == ["03 0E 32"])
    #expect(play.feel(.motion(.doubleTap)) == [])
    #expect(play.advance(by: .seconds(2)) == ["03 0E 32", "03 0E 31"])
    // The first of them is too long ago for the shortest window.
    play.write("03 0D 00 04")
    _ = play.advance(by: .seconds(2))
    _ = play.feel(.motion(.doubleTap))
    #expect(play.advance(by: .seconds(2)) == ["03 0E 32", "03 0E 32"])
    play.write("03 0C 00 03")
    _ = play.feel(.motion(.tap))
    #expect(play.advance(by: .seconds(2)) == [], "switched off, it recognises nothing")
  }

  @Test func `A BMI160 that is shaken long enough tells significant motion`() {
    // Any motion is made significant motion by a bit of its settings.
    var play = Play(.rl, "03 03 28 0C", "03 0A 00 0A 0A 16", "03 09 07 00", "03 0B 01", "03 01 01")
    #expect(play.advance(by: .seconds(2)) == [])
    _ = play.feel(.motion(.shake(.seconds(1))))
    #expect(play.advance(by: .seconds(10)) == [], "that was too short")
    _ = play.feel(.motion(.shake(.seconds(6))))
    #expect(play.advance(by: .seconds(10)).first == "03 0B 01")
  }

  @Test func `A fall, a turn and steps are what the detectors make of the acceleration`() {
    var play = Play(
      .rl, "03 03 28 0C", "03 07 07 40 85 0B 28", "03 06 08 00", "03 08 01", "03 0F 01 00", "03 11 01",
      "03 01 01")
    _ = play.advance(by: .seconds(2))
    _ = play.feel(.motion(.fall(.milliseconds(300))))
    #expect(play.advance(by: .seconds(2)).contains("03 08 02"))
    _ = play.feel(.motion(.turn(.landscapeLeft)))
    #expect(play.advance(by: .seconds(2)).contains("03 11 05"))
    var walker = Play(.rl, "03 18 2D 08", "03 17 01 00", "03 19 01", "03 01 01")
    _ = walker.feel(.motion(.walk(steps: 12, interval: .milliseconds(500))))
    #expect(walker.advance(by: .seconds(10)) == Array(repeating: "03 19 01", count: 12))
  }

  @Test func `A pin shows what is connected to it, and no more than its supply`() {
    var play = Play(.s, "05 09 00 03", "05 0B 00 01", "05 0A 01")
    #expect(play.feel(.pin(0, .high)) == ["05 0A 00 01"])
    #expect(play.feel(.pin(0, .low)) == ["05 0A 00 00"])
    #expect(play.feel(.pin(0, .millivolts(900))) == [], "that is low still")
    #expect(play.write("05 86 00") == ["05 86 00 84 03"])
    _ = play.feel(.pin(0, .millivolts(5000)))
    #expect(play.write("05 86 00") == ["05 86 00 08 07"])
    _ = play.feel(.pin(0, .open))
    #expect(play.write("05 86 00") == ["05 86 00 00 00"])
    #expect(play.feel(.pin(99, .high)) == [], "there is no such pin")
  }

  @Test func `A charger is told, plugged in and out`() {
    var play = Play(.s, "11 11 01")
    #expect(play.feel(.charger(isPluggedIn: true)) == ["11 11 01"])
    #expect(play.feel(.charger(isPluggedIn: true)) == [], "it is plugged in already")
    #expect(play.feel(.charger(isPluggedIn: false)) == ["11 11 00"])
  }

  @Test func `Light and air are measured as they were made, until they are left to themselves`() {
    var play = Play(.s, "14 01 01", "14 03 01")
    let lux = { (packet: String?) -> Double in
      let bytes = [UInt8](hex: packet ?? "").dropFirst(2)
      return Double(bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) / 1000
    }
    let before = lux(play.advance(by: .seconds(2)).last)
    _ = play.feel(.surroundings(.light, 1234))
    #expect(abs(lux(play.advance(by: .seconds(2)).last) - 1234) < 10)
    _ = play.feel(.surroundings(.light, nil))
    #expect(abs(lux(play.advance(by: .seconds(2)).last) - before) < 20)
    _ = play.feel(.surroundings(.temperature, -10))
    let bytes = [UInt8](hex: play.write("04 81 01").first ?? "")
    let celsius = Double(Int16(bitPattern: UInt16(bytes[3]) | UInt16(bytes[4]) << 8)) / 8
    #expect(abs(celsius + 10) < 1)
  }

  @Test func `A wrist moves only for a chip that knows gestures`() {
    var wrist = Play(.s, "03 07 10 00", "03 06 10 00", "03 0A 01", "03 01 01")
    #expect(wrist.feel(.motion(.gesture(code: 5))) == ["03 0A 16"])
    var other = Play(.rl, "03 01 01")
    #expect(other.feel(.motion(.gesture(code: 5))) == [])
  }
}
