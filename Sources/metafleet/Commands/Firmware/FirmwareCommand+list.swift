import ArgumentParser
import FleetModel
import MetaMotion

extension FirmwareCommand {
  /// Lists what there is.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the builds of an index.",
      discussion: """
        What is odd in the index is named on standard error, such as a build whose bootloader is missing.

        Examples:
          metafleet firmware list --model 8
          metafleet firmware list --index /srv/firmware --json

        Exit status: 0 listed; 69 the index cannot be had or read.
        """)

    @OptionGroup var choice: Choice
    @Flag(help: "One JSON object per build.") var json = false

    func run() async throws {
      try await choice.read { catalogue, _, _, _ in
        let builds = choice.builds(of: catalogue)
        if json {
          for build in builds { try Console.line(JSONText.of(.object(FirmwareTable.object(of: build)))) }
        } else {
          let table = FirmwareTable.table(of: builds)
          let shown = Console.width.map { table.fitted(to: $0) } ?? table
          for line in shown.lines(width: Console.width, isColoured: Console.hasColours) {
            try Console.line(line)
          }
        }
        for problem in BootloaderChain.problems(in: catalogue) { Console.note(printable(problem)) }
      }
    }
  }
}
