import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Outputs of processors as streams (protocol reference, section 14.1).
struct ChainOutputTests {
  private static let key = StreamKey(3)
  private static let vector = SampleLayout.numbers(
    Numbers(channels: 3, width: 2, isSigned: true, scale: 8_192, unit: .g))

  private func outputs(_ layout: SampleLayout, slot: UInt8 = 2) -> ChainOutputs {
    var outputs = ChainOutputs()
    outputs.add(ChainOutput(slot: slot, layout: layout, stream: ChainStream(name: "calm")), for: Self.key)
    return outputs
  }

  private func decode(_ hex: String, as layout: SampleLayout) -> (verdict: PacketVerdict, values: [[Double]])
  {
    var readings = ReadingBuffer()
    var staleSubscriptions = StaleSubscriptions()
    var outputs = outputs(layout)
    let verdict = outputs.decode(
      bytes(hex).span.bytes, at: Timestamp(milliseconds: 1), into: &readings, noting: &staleSubscriptions)
    #expect(readings.entries.allSatisfy { $0.stream == Self.key })
    return (verdict, readings.entries.map { Array(readings.values[$0.values]) })
  }

  @Test func `samples come in their unit`() {
    let (verdict, values) = decode("0903 02 0020 00e0 0010", as: Self.vector)
    #expect(verdict == .taken)
    #expect(values == [[1, -1, 0.5]])
  }

  @Test func `several to a packet, each with its number (protocol reference, section 14.3)`() {
    let layout = SampleLayout.packed(
      2, .prefixed(.init(kind: .number, width: 2), .numbers(.plain(1))))
    #expect(decode("0903 02 0100 0a 0200 0b", as: layout).values == [[1, 10], [2, 11]])
  }

  @Test func `in time mode the tick is the stamp (MQTT contract 2.5)`() throws {
    let layout = SampleLayout.packed(2, .prefixed(.init(kind: .tick, width: 4), .numbers(.plain(1))))
    var (readings, staleSubscriptions, outputs) = (ReadingBuffer(), StaleSubscriptions(), outputs(layout))
    _ = outputs.decode(
      bytes("0903 02 00000000 0a 00100000 0b").span.bytes, at: Timestamp(milliseconds: 7_000),
      into: &readings,
      noting: &staleSubscriptions)
    #expect(readings.values == [10, 11])
    #expect(readings.entries.map(\.time.milliseconds) == [1_000, 7_000])
  }

  @Test(
    arguments: [
      ("0903", PacketVerdict.malformed), ("0903 02", .malformed), ("0903 02 00", .malformed),
      ("0903 02 0020 00e0 00", .malformed), ("0903 05 0020 00e0 0010", .unwanted),
    ])
  func `whatever a board sends, nothing traps`(packet: String, expected: PacketVerdict) {
    let (verdict, values) = decode(packet, as: Self.vector)
    #expect(verdict == expected)
    #expect(values.isEmpty)
  }

  @Test func `F55 what nobody wants of a processor is switched off, three times at most`() {
    var staleSubscriptions = StaleSubscriptions()
    for _ in 0..<StaleSubscriptions.maximumAttempts {
      var readings = ReadingBuffer()
      var outputs = outputs(Self.vector)
      _ = outputs.decode(
        bytes("0903 05 00").span.bytes, at: Timestamp(milliseconds: 1), into: &readings,
        noting: &staleSubscriptions)
      #expect(staleSubscriptions.takeProcessors(except: [2]) == [5])
      #expect(staleSubscriptions.isEmpty)
    }
    staleSubscriptions.note(processor: 5)
    #expect(staleSubscriptions.isEmpty)
    staleSubscriptions.note(processor: 2)
    #expect(staleSubscriptions.takeProcessors(except: [2]) == [])
  }

  @Test func `both writes of a subscription (protocol reference, section 2.3)`() {
    let runs = outputs(Self.vector).runs
    #expect(runs.map(\.start) == [[bytes("090702 01"), bytes("090301")]])
    #expect(runs.map(\.stop) == [[bytes("090702 00")]])
  }
}
