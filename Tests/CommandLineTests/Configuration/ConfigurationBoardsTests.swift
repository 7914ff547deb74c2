import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationBoardsTests {
  @Test(
    arguments: [
      (
        "boards:\n  - { address: \"E5:A1:C2:D3:F4:B6\" }\n  - { address: e5a1c2d3f4b6 }",
        ["3:16 error boards[1].address: E5:A1:C2:D3:F4:B6 is listed twice, first on line 2; remove one"]
      ),
      ("boards: [{ name: x }]", ["1:10 error boards[0].address: boards[0] needs the key address"]),
      (
        "boards: [{ address: e5a1c2d3f4 }]",
        [
          "1:21 error boards[0].address: boards[0].address must be a Bluetooth address such as E5:A1:C2:D3:F4:B6, not \"e5a1c2d3f4\""
        ]
      ),
      (
        "boards: [{ address: e5a1c2d3f4b6, groups: [all] }]",
        ["1:44 error boards[0].groups[0]: every board is in the group all anyway; leave it out"]
      ),
      (
        "boards: [{ address: e5a1c2d3f4b6, profile: vibrations }]\nprofiles: { vibration: {} }",
        [
          "1:44 error boards[0].profile: boards[0].profile names the profile \"vibrations\", which is not in the file; did you mean vibration?",
          "2:13 warning profiles.vibration: profiles.vibration is used by no board of the file; name it in a board, or remove it unless boards get it at run time",
        ]
      ),
      (
        "boards: [{ address: e5a1c2d3f4b6, labels: { Room: x } }]",
        [
          "1:45 error a key of boards[0].labels: a key of boards[0].labels must be lower-case letters, digits and _, at most 32, starting with a letter, not \"Room\""
        ]
      ),
      (
        "boards: e5a1c2d3f4b6",
        [
          "1:9 error boards: boards must be a list, not \"e5a1c2d3f4b6\"; begin each entry with \"- address: …\""
        ]
      ),
    ])
  func `what is wrong with a board`(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test func `at most 16 groups and labels`() {
    let groups = (0..<17).map { "g\($0)" }.joined(separator: ", ")
    let labels = (0..<17).map { "l\($0): x" }.joined(separator: ", ")
    #expect(
      problems("boards: [{ address: e5a1c2d3f4b6, groups: [\(groups)], labels: { \(labels) } }]").map {
        $0.split(separator: ": ").last ?? ""
      } == [
        "boards[0].groups has 17 entries; at most 16 are allowed",
        "boards[0].labels has 17 keys; at most 16 are allowed",
      ])
  }
}
