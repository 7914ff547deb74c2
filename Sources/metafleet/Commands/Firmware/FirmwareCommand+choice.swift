import ArgumentParser
import Curl
import EventLoops
import Fleet
import FleetModel
import MetaMotion

extension FirmwareCommand {
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
      let fetcher = FirmwareIndexFetcher(
        transfers: Transfers(loop: loop), stateDirectory: "", authorityOption: "--ca")
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
}
