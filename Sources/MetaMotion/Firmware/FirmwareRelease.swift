package import BoardKit
package import FleetModel

/// What an update may need, at hand: the build that was asked for, and the bootloaders that it may need before. Which
/// of them a board gets is decided when its bootloader has said its version.
package struct FirmwareRelease: FirmwareInstallation {
  private let request: FirmwareRequest
  private let catalogue: FirmwareCatalogue
  /// Under the paths of their builds.
  private let packages: [String: FirmwarePackage]

  package let version: String
  package let sum: String

  /// The files of an index that such a release consists of, what was asked for last. Throws why there is none.
  package static func builds(
    _ request: FirmwareRequest, in catalogue: FirmwareCatalogue
  ) throws(CommandFailure) -> [FirmwareBuild] {
    let plan = try plan(request, in: catalogue)
    guard request.allowsBootloaders, let required = plan.build.requiredBootloader,
      request.bootloader.map({ $0 < required }) ?? true
    else { return plan.stages }
    // What a bootloader says of itself may be another thing than what was remembered of it.
    return catalogue.builds(for: request.target.ofBootloader) + [plan.build]
  }

  /// `packages` under the paths of `builds`. Throws what does not fit.
  package init(
    _ request: FirmwareRequest, in catalogue: FirmwareCatalogue, packages: [String: FirmwarePackage]
  ) throws(CommandFailure) {
    let build = try Self.plan(request, in: catalogue).build
    guard let package = packages[build.path] else {
      throw CommandFailure(.internal, "\(build.path) was not fetched")
    }
    for (path, package) in packages {
      let isApplication = path == build.path
      guard (package.image.kind == .application) == isApplication else {
        throw .invalid(
          isApplication
            ? "\(path) contains a bootloader and no firmware" : "\(path) contains firmware and no bootloader")
      }
    }
    (self.request, self.catalogue, self.packages) = (request, catalogue, packages)
    (version, sum) = (build.version.text, package.digest)
  }

  package func images(
    for board: BootloaderDescription
  ) throws(CommandFailure) -> [any InstallableImage] {
    let target = FirmwareTarget(
      hardware: board.hardwareRevision, model: board.modelNumber, flavour: request.target.flavour)
    guard target == request.target else {
      throw .invalid(
        "the firmware is for model number \(request.target.model) of hardware revision "
          + "\(request.target.hardware), and the board is \(PrintableText.quoted(board.modelNumber)) of "
          + PrintableText.quoted(board.hardwareRevision))
    }
    var request = request
    request.bootloader = BuildVersion(board.version)
    let plan = try Self.plan(request, in: catalogue)
    if plan.build.requiredBootloader != nil, request.bootloader == nil {
      throw CommandFailure(
        .unsupported,
        "the firmware needs a bootloader of its own, and the board calls its \(PrintableText.quoted(board.version)), "
          + "which is no version")
    }
    var images: [any InstallableImage] = []
    for stage in plan.stages {
      guard let package = packages[stage.path] else {
        throw CommandFailure(.unsupported, "the board needs \(stage.path) first, which was not fetched")
      }
      images.append(InstallableFirmware(package.image, version: stage.version.text))
    }
    return images
  }

  /// Whether the same version, or an older one, may be installed is asked elsewhere.
  private static func plan(
    _ request: FirmwareRequest, in catalogue: FirmwareCatalogue
  ) throws(CommandFailure) -> FirmwarePlan {
    var request = request
    request.isForced = true
    do throws(FirmwarePlan.Refusal) {
      return try FirmwarePlan(request, in: catalogue)
    } catch {
      let code: CommandFailure.Code =
        switch error {
        case .unlisted, .notNewer, .unreadable: .invalid
        case .noChain, .needsBootloaders: .unsupported
        }
      throw CommandFailure(code, error.description)
    }
  }
}
