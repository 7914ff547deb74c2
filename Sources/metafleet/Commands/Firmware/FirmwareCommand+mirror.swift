import ArgumentParser
import Fleet
import FleetModel

extension FirmwareCommand {
  /// Copies an index with its files.
  struct Mirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copies the index and its files into a directory.",
      discussion: """
        The directory can be copied to a gateway without a way into the Internet, as its firmware.index. The content of \
        every file is noted in firmware.lock when it is first seen, in the form of sha256sum; a file that is another one \
        later is refused, and the old one stays.

        Example:
          metafleet firmware mirror --to firmware --model 8

        Exit status: 0 copied; 1 some files were refused or cannot be had; 69 the index cannot be had or read; 73 the \
        directory cannot be written.
        """)

    @OptionGroup var choice: Choice
    @Option(help: ArgumentHelp("The directory; it is made when it is missing.", valueName: "directory"))
    var to: String
    @Flag(help: "One JSON object with the numbers.") var json = false

    func run() async throws {
      try await choice.read { catalogue, index, fetcher, configuration in
        let outcome: FirmwareMirror.Outcome
        do throws(CommandFailure) {
          outcome = try await FirmwareMirror(directory: to).fill(choice.builds(of: catalogue), index: index) {
            (path: String) async throws(FirmwareCheckFailure) in try await fetcher.file(path, configuration)
          }
        } catch {
          throw CommandLineFailure(.taken, printable(error.message))
        }
        try FirmwareTable.report(outcome, asJSON: json)
      }
    }
  }
}
