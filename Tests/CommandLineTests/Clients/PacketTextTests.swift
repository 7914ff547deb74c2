import FleetModel
import MetaMotion
import Testing

@testable import metafleet

@Suite struct PacketTextTests {
  private func texts(_ packet: [UInt8], from sender: PacketExplanation.Sender? = nil) -> [PacketText] {
    var explainer = PacketExplainer()
    return explainer.explain(packet, from: sender).map { PacketText(explanation: $0) }
  }

  @Test func `a packet is a title with its fields below`() {
    let lines = texts([0x11, 0x8C, 0x63, 0x34, 0x10, 0xEE], from: .board)
      .map { $0.sheet.lines(width: 80, isColoured: false) }
    #expect(
      lines == [
        [
          "11 8c 63 34 10 ee  board answers: settings, battery", "  charge   99 %", "  voltage  4148 mV",
          "  unknown  ee",
        ]
      ])
    #expect(
      texts([0x11, 0x8C]).map { $0.sheet.lines(width: 80, isColoured: false) } == [
        ["11 8c  host reads: settings, battery", "  payload  none"]
      ])
  }

  @Test(
    arguments: [
      ([0x01, 0x01, 0x01], .host, "host writes: switch, button"),
      ([0x01, 0x01, 0x01], .board, "board notifies: switch, button"),
      ([0x04, 0xC1, 0x00], .host, "host reads for logging: temperature, temperature"),
      ([0x05, 0x3F, 0x02], .host, "host writes: gpio, register 3f"),
      ([0x77, 0x81], .board, "board answers: unknown module, register 01"),
      ([0x09], .host, "host: processor, no register"),
    ] as [([UInt8], PacketExplanation.Sender, String)])
  func `one sentence tells who does what`(
    _ packet: [UInt8], _ sender: PacketExplanation.Sender, _ words: String
  ) {
    #expect(texts(packet, from: sender).map(\.summary) == [words])
  }

  @Test func `as JSON every value has its name and unit`() {
    #expect(
      texts([0x11, 0x8C, 0x63, 0x34, 0x10]).map(\.json) == [
        [
          "hex": "118c633410", "from": "board", "module": "settings", "module_id": 17, "register": 12,
          "name": "battery", "access": "answer",
          "fields": [
            ["name": "charge", "value": 99, "unit": "%"], ["name": "voltage", "value": 4148, "unit": "mV"],
          ], "complete": true, "text": "board answers: settings, battery",
        ]
      ])
    let unknown = texts([0x05, 0x3F, 0x02])[0].json
    #expect(unknown["unknown"] == "02")
    #expect(unknown["complete"] == false)
    #expect(unknown["notes"]?.array?.count == 2)
  }
}
