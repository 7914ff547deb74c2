import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct StoredAdmissionTests {
  private func kept(_ bytes: [UInt8]) -> BoardAdmission {
    BoardAdmission(board: .number(1), document: bytes, created: .at(0), admittedBy: "command")
  }

  private static let admissions: [Admission] = [
    Admission(board: .number(1)),
    Admission(board: .number(1), name: "Pump 3", profile: "vibration", groups: ["east", "west"]),
    Admission(
      board: .number(1), site: "Größe", groups: [], labels: ["room": "3", "a": ""], isEnabled: false),
  ]

  @Test(arguments: admissions)
  func `comes back as it was`(admission: Admission) {
    #expect(StoredAdmission.read(kept(StoredAdmission.bytes(admission))) == admission)
  }

  @Test(arguments: ["", "{", "[]", "5"])
  func `F93 what is damaged is no admission`(text: String) {
    #expect(StoredAdmission.read(kept(Array(text.utf8))) == nil)
  }

  @Test func `what is said now is laid over what was known; what is not said stays`() {
    let old = Admission(
      board: .number(1), name: "Pump", site: "hq", profile: "a", groups: ["x"], labels: ["l": "1"],
      isEnabled: true)
    #expect(StoredAdmission.merge(Admission(board: .number(1)), over: old) == old)
    #expect(StoredAdmission.merge(old, over: nil) == old)
    let merged = StoredAdmission.merge(
      Admission(board: .number(1), name: "Fan", groups: [], labels: [:], isEnabled: false), over: old)
    #expect(merged.name == "Fan" && merged.site == "hq" && merged.profile == "a")
    #expect(merged.groups == [] && merged.labels == [:] && merged.isEnabled == false)
  }
}
