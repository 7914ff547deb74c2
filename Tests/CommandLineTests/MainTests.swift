import Testing

@testable import metafleet

@Suite struct MainTests {
  @Test(
    arguments: [
      [], ["help"], ["--help"], ["-h"], ["---completion"], ["board"], ["boards", "b"], ["config"],
      ["config", "check"], ["config", "--help"], ["run"], ["sessions"], ["sessions", "Pump 3"],
      ["sessions", "delete", "Pump 3"],
    ])
  func `a command, an option and nothing go on to the parser`(words: [String]) throws {
    try MetaFleet.check(words)
  }

  @Test(
    arguments: [
      (["snd"], "there is no command \"snd\"; did you mean send?"),
      (["conifg"], "there is no command \"conifg\"; did you mean config?"),
      (["frobnicate"], "there is no command \"frobnicate\"; there are demo, run, scan"),
      (["config", "chek"], "there is no command of config \"chek\"; did you mean check?"),
    ])
  func `an unknown command is refused with the nearest`(words: [String], text: String) {
    let failure = #expect(throws: CommandLineFailure.self) { try MetaFleet.check(words) }
    #expect(failure?.status == .usage && failure?.message.hasPrefix(text) == true)
  }
}
