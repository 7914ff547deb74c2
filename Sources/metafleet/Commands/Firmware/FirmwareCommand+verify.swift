import ArgumentParser
import FleetModel

extension FirmwareCommand {
  /// Looks a copy through.
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compares the files of a mirror with firmware.lock.",
      discussion: """
        Example:
          metafleet firmware verify firmware

        Exit status: 0 every file is what it was at first, and the index can be used; 1 something is not; 73 the directory \
        cannot be read.
        """)

    @Argument(help: "The directory.") var directory: String
    @Flag(help: "One JSON object with the numbers.") var json = false

    func run() throws {
      let outcome: FirmwareMirror.Outcome
      do throws(CommandFailure) { outcome = try FirmwareMirror(directory: directory).verify() } catch {
        throw CommandLineFailure(.taken, printable(error.message))
      }
      try FirmwareTable.report(outcome, asJSON: json)
    }
  }
}
