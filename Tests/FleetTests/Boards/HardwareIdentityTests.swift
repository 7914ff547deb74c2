import FleetModel
import Testing

@testable import Fleet

@Suite struct HardwareIdentityTests {
  private static let board = HardwareIdentity(serial: "055B9E", model: "MetaMotion S", imu: "bmi270")

  @Test func `another serial number, model or chip makes another board`() {
    var other = Self.board
    other.serial = "055B9F"
    other.imu = "bmi160"
    #expect(other.changes(since: Self.board) == ["serial", "imu"])
    #expect(
      other.sentence(since: Self.board)
        == "serial is \"055B9F\" and was \"055B9E\", imu is \"bmi160\" and was \"bmi270\"")
    #expect(Self.board.changes(since: Self.board).isEmpty)
  }

  @Test func `F165 what a board does not say is no change, nor is its firmware`() {
    let silent = HardwareIdentity(serial: "", model: "MetaMotion S", imu: "")
    #expect(silent.changes(since: Self.board).isEmpty && Self.board.changes(since: silent).isEmpty)
    let descriptions = ["1.5.0", "1.7.3"].map { firmware in
      BoardDescription(
        model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
        hardwareRevision: "0.1", firmwareRevision: firmware, imu: "bmi270", modules: [:], slots: .init(),
        streams: [])
    }
    #expect(descriptions.map { HardwareIdentity($0) } == [Self.board, Self.board])
  }

  @Test func `what is kept of it comes back`() {
    for identity in [Self.board, HardwareIdentity(serial: "", model: "MetaMotion S", imu: "")] {
      #expect(HardwareIdentity(document: identity.document) == identity)
    }
  }

  @Test func `a serial number is compared without regard to case, and one that is not told is another`() {
    #expect(IdentityMismatch(found: "055b9e", wanted: "055B9E") == nil)
    #expect(IdentityMismatch(found: "x", wanted: nil) == nil)
    for found in ["", "055B9F"] {
      let mismatch = IdentityMismatch(found: found, wanted: "055B9E")
      #expect(mismatch?.found == found && mismatch?.sentence.contains("\"055B9E\"") == true)
    }
  }
}
