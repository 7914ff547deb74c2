import ArgumentParser
import Curl
import EventLoops
import Fleet
import FleetModel
import MetaMotion

/// `firmware check|list|mirror|verify`.
struct FirmwareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firmware",
    abstract: "Tells which boards have newer firmware waiting, and what releases there are.",
    discussion: """
      Nothing is installed. check asks the gateways; list, mirror and verify need neither gateway nor broker.
      """,
    subcommands: [Check.self, List.self, Mirror.self, Verify.self])

  /// The index, and what of it is meant.
  struct Choice: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The index: an https address, or the absolute path of a directory with info2.json.",
        valueName: "index"))
    var index = FirmwareConfiguration().index
    @Option(
      help: ArgumentHelp("A PEM file of the authorities to trust; else the system's.", valueName: "file"))
    var ca: String?
    @Option(help: ArgumentHelp("Only of this model number: 5 is R and RL, 8 is S.", valueName: "number"))
    var model: String?
    @Option(help: ArgumentHelp("Only of this hardware revision, such as 0.4 or r0.4.", valueName: "revision"))
    var hardware: String?

    /// Reads the index, and has `body` do something with it.
    func read(
      _ body: (FirmwareCatalogue, _ index: [UInt8], FirmwareIndexFetcher, FirmwareConfiguration) async throws
        -> Void
    ) async throws {
      let loop = try EventLoop.named("transfers")
      defer { loop.stop() }
      var configuration = FirmwareConfiguration()
      (configuration.index, configuration.authorities) = (index, ca)
      let fetcher = FirmwareIndexFetcher(transfers: Transfers(loop: loop), stateDirectory: "")
      let (bytes, catalogue): ([UInt8], FirmwareCatalogue)
      do throws(FirmwareCheckFailure) { (bytes, catalogue) = try await fetcher.read(configuration) } catch {
        throw CommandLineFailure(.unavailable, printable(error.description))
      }
      try await body(catalogue, bytes, fetcher, configuration)
    }

    /// The builds that are meant, bootloaders included.
    func builds(of catalogue: FirmwareCatalogue) -> [FirmwareBuild] {
      let hardware = hardware.map { FirmwareTarget.plain($0) }
      return catalogue.all.filter { build in
        (model ?? build.target.model) == build.target.model
          && (hardware ?? build.target.hardware) == build.target.hardware
      }
    }
  }

  /// Asks the gateways.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Asks the gateways which firmware their boards have, and what is the newest for each.",
      discussion: """
        The same as metafleet send TARGET firmware-check: a line for each board. Gateways answer from the index that they \
        fetched last, where that is less than half an hour old.

        Examples:
          metafleet firmware check
          metafleet firmware check "Pump 3" --refresh

        Exit status: 0 every board answered; 1 not every one, such as one that was never connected; 64 no such target; 69 \
        no broker; 75 no answer; 77 denied.
        """)

    @Argument(
      help: "Board (name, id, beginning) or group:<name>; every board without one.",
      completion: FleetCompletion.boards)
    var target = "group:all"
    @Flag(help: "Have the index fetched anew first.") var refresh = false
    @Flag(help: "Print the replies as they are, one JSON object per line.") var json = false
    @OptionGroup var broker: BrokerOptions

    func run() async throws {
      Signals.endAtOnce()
      let request = try SendRequest(
        verb: "firmware-check", arguments: refresh ? ["refresh": true] : [:], isQueued: false, expires: nil,
        id: nil)
      try await request.send(to: target, over: broker, json: json)
    }
  }

  /// Lists what there is.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the builds of an index.",
      discussion: """
        What cannot be installed as it is listed is named on standard error, such as a build whose bootloader is missing.

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
