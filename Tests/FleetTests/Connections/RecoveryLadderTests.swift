import FleetModel
import Testing

@testable import Fleet

@Suite struct RecoveryLadderTests {
  private let one = AdapterID.number(1)
  private let two = AdapterID.number(2)

  /// What is climbed in `seconds` of looks every ten seconds, and when.
  private func climb(
    _ ladder: inout RecoveryLadder, for seconds: Int, from start: Int = 0,
    delivering: Set<AdapterID> = [], _ symptoms: (Int) -> RecoverySymptoms
  ) -> [String] {
    stride(from: start, through: start + seconds, by: 10).compactMap { second in
      ladder.next(symptoms(second), delivering: delivering, at: .seconds(second)).map {
        "\(second) \($0.type)"
      }
    }
  }

  private func silent(_ adapters: [AdapterID], since start: Int) -> RecoverySymptoms {
    var symptoms = RecoverySymptoms()
    for adapter in adapters { symptoms.scanRestarted(adapter, at: .seconds(start)) }
    return symptoms
  }

  @Test
  func
    `F20 an adapter that stays silent is switched, then bluetoothd restarted, then its USB reset, then told`()
  {
    var ladder = RecoveryLadder()
    let climbed = climb(&ladder, for: 600) { _ in silent([one], since: 0) }
    #expect(climbed == ["30 power", "60 bluetoothd", "90 usb", "120 exhausted"])
    // Half an hour later all of it once more: nothing is given up for good.
    let again = climb(&ladder, for: 1_500, from: 610) { _ in silent([one], since: 0) }
    #expect(again == ["1920 power", "1950 bluetoothd", "1980 usb", "2010 exhausted"])
  }

  @Test func `F20 what helped ends it, and what was tried a short while ago is not tried again`() {
    var ladder = RecoveryLadder()
    #expect(climb(&ladder, for: 50) { _ in silent([one], since: 0) } == ["30 power"])
    #expect(climb(&ladder, for: 100, from: 60) { _ in RecoverySymptoms() } == [])
    #expect(climb(&ladder, for: 50, from: 200) { _ in silent([one], since: 200) } == ["230 bluetoothd"])
  }

  @Test func `I20 an adapter over which a board delivers is left alone, and bluetoothd with it`() {
    var ladder = RecoveryLadder()
    #expect(climb(&ladder, for: 600, delivering: [one]) { _ in silent([one], since: 0) } == [])
    let other = climb(&ladder, for: 600, from: 610, delivering: [two]) { _ in silent([one], since: 0) }
    #expect(other == ["610 power", "640 usb", "670 exhausted"])
  }

  @Test func `F18 an adapter that stays off is helped, one that is back is not`() {
    var (ladder, symptoms) = (RecoveryLadder(), RecoverySymptoms())
    symptoms.adapter(one, isDown: true, at: .zero)
    #expect(symptoms.ailing.map(\.cause) == [.down])
    #expect(climb(&ladder, for: 40) { _ in symptoms } == ["30 power"])
    symptoms.adapter(one, isDown: false, at: .seconds(41))
    #expect(symptoms.ailing.isEmpty)
    #expect(climb(&ladder, for: 600, from: 50) { _ in symptoms } == [])
  }

  @Test func `F11 bluetoothd that stays away is restarted after a minute, at most every half hour`() {
    var ladder = RecoveryLadder()
    var symptoms = RecoverySymptoms()
    symptoms.scanRestarted(one, at: .zero)
    symptoms.service(isAvailable: false, at: .zero)
    #expect(symptoms.ailing.isEmpty, "nothing is known of adapters without it")
    let climbed = climb(&ladder, for: 4_000) { _ in symptoms }
    #expect(
      climbed == [
        "60 bluetoothd", "120 exhausted", "1920 bluetoothd", "1980 exhausted", "3780 bluetoothd",
        "3840 exhausted",
      ])
  }

  @Test func `the USB of one adapter is reset three times in a day at most`() {
    var ladder = RecoveryLadder()
    let climbed = climb(&ladder, for: 86_400) { _ in silent([one], since: 0) }
    #expect(climbed.filter { $0.hasSuffix("usb") }.count == 3)
    #expect(
      climb(&ladder, for: 3_600, from: 90_000) { _ in silent([one], since: 0) }.contains {
        $0.hasSuffix("usb")
      })
  }
}
