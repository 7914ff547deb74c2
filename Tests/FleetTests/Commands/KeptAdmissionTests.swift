import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct KeptAdmissionTests {
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
  func comesBackAsItWas(admission: Admission) {
    #expect(KeptAdmission.read(kept(KeptAdmission.bytes(admission))) == admission)
  }

  @Test("F93 what is damaged is no admission", arguments: ["", "{", "[]", "5"])
  func damaged(text: String) { #expect(KeptAdmission.read(kept(Array(text.utf8))) == nil) }

  @Test("what is said now is laid over what was known; what is not said stays")
  func merging() {
    let old = Admission(
      board: .number(1), name: "Pump", site: "hq", profile: "a", groups: ["x"], labels: ["l": "1"],
      isEnabled: true)
    #expect(KeptAdmission.merge(Admission(board: .number(1)), over: old) == old)
    #expect(KeptAdmission.merge(old, over: nil) == old)
    let merged = KeptAdmission.merge(
      Admission(board: .number(1), name: "Fan", groups: [], labels: [:], isEnabled: false), over: old)
    #expect(merged.name == "Fan" && merged.site == "hq" && merged.profile == "a")
    #expect(merged.groups == [] && merged.labels == [:] && merged.isEnabled == false)
  }
}
