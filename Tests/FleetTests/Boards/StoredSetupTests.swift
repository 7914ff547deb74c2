import FleetModel
import Testing

@testable import Fleet

@Suite struct StoredSetupTests {
  private func kept(_ change: (inout StoredSetup) -> Void) -> (
    kept: StoredSetup, read: StoredSetup
  ) {
    var setup = StoredSetup()
    change(&setup)
    return (setup, StoredSetup(setup.bytes))
  }

  @Test func `nothing is kept of a new board`() {
    #expect(StoredSetup().bytes.isEmpty && StoredSetup([]) == StoredSetup())
  }

  @Test func `the overlay comes back, section by section`() {
    let (overlay, read) = kept {
      $0.overlay.streams.start(.acceleration(100), until: .at(60_000), profile: [:])
      $0.overlay.logs.note(.stop(nil), profile: [:])
      $0.overlay.pins.note(PinCommand(pin: 2, pull: .up, change: .any))
    }
    #expect(overlay == read && !read.overlay.streams.isEmpty && !read.overlay.logs.isEmpty)
  }

  @Test func `what is on a board comes back with the reset it belongs to`() {
    for record in [ProgramRecord(), ProgramRecord(bytes: [1, 2], boot: 3), ProgramRecord(bytes: [1])] {
      let (setup, read) = kept { $0.program = record }
      #expect(setup == read)
    }
  }

  @Test func `F223 maintenance comes back, as it was ordered`() {
    for maintenance in [
      Maintenance(until: .at(5)), Maintenance(until: .at(5), reason: "roof", who: "anna@pi metafleet"),
    ] {
      let (setup, read) = kept { $0.maintenance = maintenance }
      #expect(setup == read && read.maintenance == maintenance)
    }
    #expect(StoredSetup(Array(#"{"maintenance":{"until_ms":"soon"}}"#.utf8)).maintenance == nil)
  }

  @Test func `the choice of a profile, the last change and what is known of the log come back`() {
    let (setup, read) = kept {
      $0.choice = ProfileChoice(name: "vibration", replaced: nil)
      $0.applied = .at(5)
      $0.logs.lastContact = .at(7)
    }
    #expect(setup == read)
  }

  @Test func `as an earlier version wrote it`() {
    let text = """
      {"started":{"acceleration":{"config":{"rate_hz":100}}},"stopped":["gyroscope"],
       "logs":{"overlay":{"started":{},"stopped":["pressure"],"off":false},"contact_ms":7},
       "pins":{"2":{"change":"any"}},"program_memory":"0102","program_boot":3}
      """
    let read = StoredSetup(Array(text.utf8))
    #expect(read.overlay.streams.names == ["acceleration", "gyroscope"])
    #expect(read.overlay.logs.stopped == ["pressure"] && read.logs.lastContact == Timestamp(milliseconds: 7))
    #expect(read.overlay.pins.commands.map(\.pin) == [2])
    #expect(read.program == ProgramRecord(bytes: [1, 2], boot: 3))
  }

  @Test(
    arguments: ["", "{", "[]", "null", "{}", "\u{0}", #"{"ts_ms":"x"}"#])
  func `F93 what cannot be read any more counts as unknown`(text: String) {
    #expect(StoredSetup(Array(text.utf8)) == StoredSetup())
  }
}
