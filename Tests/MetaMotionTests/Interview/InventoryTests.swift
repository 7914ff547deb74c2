import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct InventoryTests {
  @Test func `a MetaMotion s is described as the contract says`() throws {
    let description = try TestBoard.metaMotionS.inventory().description
    #expect(description.model == "MetaMotion S")
    #expect(description.modelNumber == "8")
    #expect(description.manufacturer == "MbientLab Inc")
    #expect(description.serialNumber == "055B9E")
    #expect(description.hardwareRevision == "0.4")
    #expect(description.firmwareRevision == "1.7.3")
    #expect(description.imu == "bmi270")
    #expect(
      description.slots
        == .init(loggers: 8, processors: 28, events: 28, timers: 8, macros: 8, logEntries: 66_781_184))
    #expect(description.modules.count == 21)
    #expect(
      description.modules["accelerometer"]
        == .init(id: 3, isPresent: true, implementation: 4, revision: 0, extra: []))
    #expect(
      description.modules["humidity"]
        == .init(id: 22, isPresent: false, implementation: nil, revision: nil, extra: []))
  }

  @Test func `models of one number are told apart by their light sensor`() throws {
    #expect(try TestBoard.metaMotionR.inventory().model == .metaMotionR)
    #expect(try TestBoard.metaMotionRL.inventory().model == .metaMotionRL)
  }

  @Test func `the chip is detected, never assumed from the model`() throws {
    #expect(try TestBoard.metaMotionRL.with("03800400").inventory().description.imu == "bmi270")
    #expect(try TestBoard.metaMotionRL.with("03800700").inventory().description.imu == nil)
  }

  @Test func `what a board does not say is left open`() throws {
    let silent = TestBoard.metaMotionS.with("0b800003 09800003 0a80 0c800000 0f800002")
    #expect(try silent.inventory().description.slots == .init())
    let short = TestBoard.metaMotionS.with("0b80000308000010")
    #expect(try short.inventory().description.slots.logEntries == nil)
  }

  @Test func `revisions gate what there is`() throws {
    let inventory = try TestBoard.metaMotionR.inventory()
    #expect(inventory.has(.settings, from: 3))
    #expect(!inventory.has(.settings, from: 4))
    #expect(!inventory.has(.humidity))
  }

  @Test func `an unknown model is refused`() {
    var board = TestBoard.metaMotionS
    board.modelNumber = "4"
    #expect(throws: ProtocolFailure.self) { try board.inventory() }
  }
}
