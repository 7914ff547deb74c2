import BoardKit
import Fleet
import FleetModel
import MetaMotion

extension FirmwareIndexFetcher {
  func installation(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> any FirmwareInstallation {
    let installation: any FirmwareInstallation =
      if let file = request.file {
        try FirmwareFile(
          try FirmwareFiles.read(try own(file, configuration), file), name: file, version: request.version)
      } else {
        try await release(request, configuration)
      }
    // An update that goes on sends what it began with, or nothing.
    if let sum = request.sum, sum != installation.sum {
      throw .invalid(
        "the package is not the one that the update began with; update the board anew with the one that is meant"
      )
    }
    return installation
  }

  private func release(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> FirmwareRelease {
    let catalogue = try await catalogue(configuration)
    let recipient = request.recipient
    var wanted = FirmwareRequest(
      FirmwareTarget(
        hardware: recipient.hardwareRevision, model: recipient.modelNumber,
        flavour: recipient.build ?? FirmwareTarget.vanilla),
      installed: nil, bootloader: request.bootloader.flatMap { BuildVersion($0) })
    (wanted.version, wanted.allowsBootloaders) = (request.version, request.allowsBootloader)
    let mirror = configuration.index.hasPrefix("/") ? configuration.index : nil
    let files = FirmwareFiles(
      directory: directory(configuration), mirror: mirror, isListedOnly: configuration.trust == .lock)
    var packages: [String: FirmwarePackage] = [:]
    for build in try FirmwareRelease.builds(wanted, in: catalogue) {
      packages[build.path] = try await files.package(build.path) {
        (path: String) async throws(FirmwareCheckFailure) in try await file(path, configuration)
      }
    }
    return try FirmwareRelease(wanted, in: catalogue, packages: packages)
  }

  private func catalogue(_ configuration: FirmwareConfiguration) async throws(CommandFailure)
    -> FirmwareCatalogue
  {
    if let kept = await kept(configuration)?.index as? FirmwareCatalogue { return kept }
    do throws(FirmwareCheckFailure) { return try await read(configuration).catalogue } catch {
      throw CommandFailure(.internal, error.description)
    }
  }

  /// A file of the operator's own, by its name in the gateway's directory.
  private func own(_ file: String, _ configuration: FirmwareConfiguration) throws(CommandFailure) -> [UInt8] {
    let path = "\(directory(configuration))/\(file)"
    do throws(FileContent.Failure) {
      return try FileContent.read(path, atMost: FirmwareMirror.largestFile)
    } catch {
      throw .invalid(error.text(path))
    }
  }
}
