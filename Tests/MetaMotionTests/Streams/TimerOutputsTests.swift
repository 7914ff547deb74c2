import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Ticks of timers as streams (protocol reference, section 17).
@Suite struct TimerOutputsTests {
  private static let key = StreamKey(3)

  private static func outputs(slot: UInt8 = 2) -> TimerOutputs {
    var outputs = TimerOutputs()
    outputs.add(slot: slot, for: key)
    return outputs
  }

  private func decode(_ hex: String, by outputs: inout TimerOutputs) -> (PacketVerdict, [Double]) {
    var readings = ReadingBuffer()
    var staleSubscriptions = StaleSubscriptions()
    let verdict = outputs.decode(
      bytes(hex).span.bytes, at: Timestamp(milliseconds: 1), into: &readings, noting: &staleSubscriptions)
    #expect(readings.entries.allSatisfy { $0.stream == Self.key })
    return (verdict, readings.values)
  }

  @Test func `ticks are counted as they come`() {
    var outputs = Self.outputs()
    #expect(decode("0c0602", by: &outputs) == (.taken, [1]))
    #expect(decode("0c0602", by: &outputs) == (.taken, [2]))
    #expect(decode("0c0603", by: &outputs) == (.unwanted, []))
    #expect(decode("0c06", by: &outputs) == (.malformed, []))
  }

  @Test func `F55 ticks that nobody wants are switched off, three times at most`() {
    var outputs = Self.outputs()
    var staleSubscriptions = StaleSubscriptions()
    var readings = ReadingBuffer()
    var switchedOff: [UInt8] = []
    for _ in 0..<10 {
      for tick in ["0c0602", "0c0603"] {
        _ = outputs.decode(
          bytes(tick).span.bytes, at: Timestamp(milliseconds: 1), into: &readings, noting: &staleSubscriptions
        )
      }
      #expect(staleSubscriptions.isEmpty == (switchedOff.count == 3))
      switchedOff += staleSubscriptions.takeTimers(except: outputs.slots)
    }
    #expect(switchedOff == [3, 3, 3])
  }

  @Test func `a count goes on while its stream does`() {
    var outputs = Self.outputs()
    _ = decode("0c0602", by: &outputs)
    var same = Self.outputs().counting(on: outputs)
    #expect(decode("0c0602", by: &same) == (.taken, [2]))
    var other = Self.outputs(slot: 4).counting(on: outputs)
    #expect(decode("0c0604", by: &other) == (.taken, [1]))
  }

  @Test func `the board is told for the timer and for the register, and stopped for the timer alone`() {
    let runs = Self.outputs().runs
    #expect(runs.map(\.start) == [[bytes("0c070201"), bytes("0c0601")]])
    #expect(runs.map(\.stop) == [[bytes("0c070200")]] && runs.map(\.unit) == [.timer(2)])
  }

  @Test func `a timer that is streamed has a field of its name, and cannot be logged`() {
    let definition = ChainStream.ticks(of: "every-minute").definition
    #expect(definition.fields.map(\.name) == ["every_minute_ticks"] && definition.module == "timer")
    #expect(!definition.isLoggable && definition.isStreamable)
  }
}
