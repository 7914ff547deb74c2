import ArgumentParser
import FleetModel
import MetaMotion

extension FirmwareCommand {
  /// Looks through a package.
  struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Looks through a package of firmware, as a gateway does before it touches a board.",
      discussion: """
        Tells what the package replaces, its sizes, what its init packet promises, and its SHA-256, as firmware.lock has \
        it. Which boards it is made for stands in no package: that says the index.

        Example:
          metafleet firmware inspect firmware/0.5/5/vanilla/1.7.3/firmware.zip

        Exit status: 0 it can be installed; 1 it cannot, and why is told; 73 the file cannot be read.
        """)

    @Argument(help: "The file.", completion: .file(extensions: ["zip"])) var file: String
    @Flag(help: "One JSON object.") var json = false

    func run() throws {
      let bytes: [UInt8]
      do throws(FileContent.Failure) {
        bytes = try FileContent.read(file, atMost: FirmwareMirror.largestFile)
      } catch {
        throw CommandLineFailure(.taken, printable(error.text(file)))
      }
      let package: FirmwarePackage
      do throws(FirmwarePackage.Unusable) { package = try FirmwarePackage(bytes) } catch {
        throw CommandLineFailure(.no, printable("\(file) cannot be installed: \(error)"))
      }
      if json { return try Console.line(JSONText.of(.object(PackageText.object(of: package)))) }
      for line in PackageText.lines(of: package) { try Console.line(printable(line)) }
    }
  }
}
