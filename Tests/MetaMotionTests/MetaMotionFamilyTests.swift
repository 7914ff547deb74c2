import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct MetaMotionFamilyTests {
  private let family = MetaMotionFamily.descriptor

  private func report(name: String? = nil, services: [String] = []) -> AdvertisementReport {
    AdvertisementReport(
      board: BoardID(BluetoothAddress(rawValue: 1)), adapter: AdapterID(BluetoothAddress(rawValue: 2)),
      name: name,
      rssi: -60, services: services.map { AttributeUUID($0) }, time: Timestamp(milliseconds: 0))
  }

  @Test func `boards are recognised by service or name`() {
    #expect(family.recognises(report(services: ["326A9000-85CB-9195-D9DD-464CFBBAE75A"])))
    #expect(family.recognises(report(name: "MetaWear")))
    #expect(family.recognises(report(name: "MetaWear 3")))
    #expect(!family.recognises(report(name: "metawear")))
    #expect(!family.recognises(report(name: "Thermo", services: ["0000180f-0000-1000-8000-00805f9b34fb"])))
    #expect(!family.recognises(report()))
  }

  @Test func `a bootloader is told`() {
    let waiting = report(services: ["00001530-1212-EFDE-1523-785FEABCD123"])
    #expect(family.recognises(waiting))
    #expect(family.isBootloader(waiting))
    #expect(!family.isBootloader(report(name: "MetaWear")))
  }

  @Test func `the gateway listens to one characteristic`() {
    #expect(family.name == "metamotion")
    #expect(family.notifications.map(\.uuid.description) == ["326a9006-85cb-9195-d9dd-464cfbbae75a"])
    #expect(family.advertisedServices.count == 2)
  }

  @Test func `F25 packets out of another handle are not ours`() async throws {
    let driver = family.makeDriver(
      Conversation(
        link: ScriptedLink(notifications: Attributes.notification, timekeeper: ManualClock()),
        timekeeper: ManualClock()))
    var decoded = DecodedPackets()
    // Of the board's own handle this would be malformed.
    let verdict = driver.decode(
      bytes("ff").span.bytes, from: Attributes.modelNumber, at: Timestamp(milliseconds: 0), into: &decoded)
    #expect(verdict == .unwanted)
  }

  @Test(
    arguments: [
      ("7701", true), ("1a0500", true), ("00ff01", true), ("77", false), ("03", false), ("", false),
    ])
  func `F125 whole packets of modules that nobody knows are not unreadable; what is cut off is`(
    hex: String, isWhole: Bool
  ) async throws {
    let driver = family.makeDriver(
      Conversation(
        link: ScriptedLink(notifications: Attributes.notification, timekeeper: ManualClock()),
        timekeeper: ManualClock()))
    var decoded = DecodedPackets()
    let verdict = driver.decode(
      bytes(hex).span.bytes, from: Attributes.notification, at: Timestamp(milliseconds: 0), into: &decoded)
    #expect(verdict == (isWhole ? .unwanted : .malformed))
    #expect(!driver.hasStaleSubscriptions)
  }

  @Test func `nothing is commanded before the interview`() async throws {
    let session = await DriverSession(.metaMotionS)
    guard case .failed(let failure) = await session.perform(.reset) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .internal)
    try await session.link.expectNothing()
  }

  @Test func `a board without LED has none`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS.with("0280"))
    for intent in [DeviceIntent.led(.off), .identify(seconds: 1)] {
      guard case .failed(let failure) = await session.perform(intent) else {
        Issue.record("not failed")
        return
      }
      #expect(failure.code == .unsupported)
    }
  }

  @Test func `F28 a board is asked once whether it lives, for five seconds`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let alive = session.checkLiveness()
    try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
    #expect(await alive.failure == nil)
    async let mute = session.checkLiveness()
    try await session.link.expect(bytes("0b84"))
    await session.advance(by: .seconds(5))
    guard case .silent = await mute.failure else {
      Issue.record("not silent")
      return
    }
    try await session.link.expectNothing()
  }
}
