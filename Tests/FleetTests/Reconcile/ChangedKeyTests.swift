import FleetModel
import Testing

@testable import Fleet

/// What an answer to `reload` lists.
@Suite struct ChangedKeyTests {
  private func file(_ edit: (inout FleetConfiguration) -> Void = { _ in }) -> JSONObject {
    var file = FleetConfiguration()
    file.profiles = ["a": Profile(), "b": Profile()]
    file.boards = [BoardConfiguration(board: .number(1)), BoardConfiguration(board: .number(2))]
    edit(&file)
    return file.document
  }

  @Test func `nothing changed is nothing to list`() {
    #expect(ChangedKey.all(from: file(), to: file()) == [])
  }

  @Test func `groups, labels and profiles are told of the board and the profile that has them`() {
    let keys = ChangedKey.all(
      from: file(),
      to: file {
        $0.profiles["b"]?.button = false
        $0.boards[0].groups = ["east"]
        $0.boards[1].labels = ["room": "3"]
        $0.mqtt.host = "broker"
        $0.mqtt.base = "plant"
      })
    #expect(
      keys == [
        ChangedKey(path: "mqtt.host", change: .changed, isApplied: true),
        ChangedKey(path: "mqtt.base", change: .changed, isApplied: false),
        ChangedKey(path: "profiles.b.button", change: .changed, isApplied: true),
        ChangedKey(path: "boards[c0ffee000001].groups", change: .changed, isApplied: true),
        ChangedKey(path: "boards[c0ffee000002].labels", change: .changed, isApplied: true),
      ])
    #expect(keys[1].document == ["path": "mqtt.base", "change": "changed", "applied": false])
  }

  @Test func `a profile or board that is new or gone is told as a whole`() {
    let keys = ChangedKey.all(
      from: file(),
      to: file {
        $0.profiles["a"] = nil
        $0.profiles["c"] = Profile()
        $0.boards[0] = BoardConfiguration(board: .number(3))
      })
    #expect(
      keys.map { "\($0.path) \($0.change.rawValue)" } == [
        "profiles.a removed", "profiles.c added", "boards[c0ffee000001] removed",
        "boards[c0ffee000003] added",
      ])
  }
}
