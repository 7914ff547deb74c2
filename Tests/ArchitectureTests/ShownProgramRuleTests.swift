import Foundation
import Support
import Testing

@Suite struct ShownProgramRuleTests {
  @Test(arguments: Repository.documents)
  func `every script that a document shows can be run`(document: String) {
    let found = ShownProgramRule.violations(in: Repository.text(document), at: document) {
      FileManager.default.isExecutableFile(
        atPath: Repository.root.appending(path: $0).path(percentEncoded: false))
    }
    #expect(found == [])
  }

  @Test func `documents show many scripts`() {
    let programs = Repository.documents.flatMap { ShownCommand.all(in: Repository.text($0)) }.map(\.program)
    #expect(Set(programs).isSuperset(of: ["./deploy/demo", "./deploy/test", "Tests/SeededFaults/run"]))
  }

  @Test func `a script that is not there, or cannot be run, is found`() {
    let text = """
      ```sh
      ./deploy/gone --fast                   # gone
      METAFLEET_TELL=1 Tests/There/run 42
      sudo ./deploy/setup | cat
      ```
      """
    let found = ShownProgramRule.violations(in: text, at: "README.md") { $0 == "Tests/There/run" }
    #expect(
      found.map(\.message) == [
        "shows ./deploy/gone, which cannot be run", "shows ./deploy/setup, which cannot be run",
      ])
  }

  @Test func `commands are told from comments, files and what stands in front`() {
    let text = """
      Say `metafleet boards --json | jq .` or `metafleet/#`.

      ```sh
      sudo env CREDENTIALS_DIRECTORY=/etc/x metafleet config check --config /etc/x.yaml
      env $(cat bus.env) metafleet scan   # in range
      metafleet simulate > bus.env 2> log &
      swift test --sanitize thread \\
        --filter 'A|B'
      sudo tee x.yaml <<'END'
      metafleet: none
      END
      metafleet send "Pump 3" identify
      ```

      ```yaml
      metafleet: none
      ```
      """
    #expect(
      ShownCommand.all(in: text).map(\.words) == [
        ["metafleet", "boards", "--json"], ["jq", "."],
        ["metafleet", "config", "check", "--config", "/etc/x.yaml"], ["metafleet", "scan"],
        ["metafleet", "simulate"], ["swift", "test", "--sanitize", "thread", "--filter", "A|B"],
        ["tee", "x.yaml"], ["metafleet", "send", "Pump 3", "identify"],
      ])
  }
}
