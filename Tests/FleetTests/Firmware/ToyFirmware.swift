import BoardKit
import FleetModel
import Synchronization

@testable import Fleet

/// What a toy board runs, which outlives its links: an application of a version, or its bootloader.
final class ToyFirmware: Sendable {
  struct State {
    var isInBootloader = false
    var version = "1"
    var serial = "S1"
    var battery = 90
    /// How the next transfers fail; then they succeed.
    var failures: [TransferFailure] = []
    /// What an application says behind a transfer, in the place of what was sent.
    var returnsAs: String?
    /// How often it does not listen when it is to enter its bootloader.
    var ignoredJumps = 0
    /// How often it comes back in its bootloader, although it took all.
    var lostActivations = 0
    /// Bootloaders that have to be installed before, and whether there is a way.
    var needed = 0
    var refusal: CommandFailure?
    /// How long a transfer takes, a tenth at a time.
    var step = Duration.seconds(3)
    /// Windows of the transfers that were begun, in order, and how often it was told to leave.
    var windows: [Int] = []
    var leaves = 0
  }

  private let state: Mutex<State>

  init(_ edit: (inout State) -> Void = { _ in }) {
    var state = State()
    edit(&state)
    self.state = Mutex(state)
  }

  func change(_ edit: (inout State) -> Void) { state.withLock { edit(&$0) } }
  var now: State { state.withLock { $0 } }
  var isInBootloader: Bool { now.isInBootloader }
  var version: String { now.version }
  var serial: String { now.serial }
  var battery: Int { now.battery }
  var source: ToySource { ToySource(firmware: self) }

  /// The application is told to enter the bootloader. Returns whether it listens.
  func jumps() -> Bool {
    state.withLock { state in
      if state.ignoredJumps > 0 {
        state.ignoredJumps -= 1
        return false
      }
      state.isInBootloader = true
      return true
    }
  }

  func leaves() {
    state.withLock { state in
      state.leaves += 1
      state.isInBootloader = false
    }
  }

  func begins(window: Int) -> TransferFailure? {
    state.withLock { state in
      state.windows.append(window)
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
  }

  func takes(_ image: any InstallableImage) {
    state.withLock { state in
      if state.lostActivations > 0 {
        state.lostActivations -= 1
        return
      }
      guard image.isApplication else { return state.needed -= 1 }
      (state.isInBootloader, state.version) = (false, state.returnsAs ?? image.version)
    }
  }
}

/// Firmware for toys, of the version that was asked for.
struct ToySource: FirmwareSource {
  let firmware: ToyFirmware

  struct Index: FirmwareIndex {
    func offer(for board: BoardDescription) -> FirmwareReport.Offer {
      FirmwareReport.Offer(latest: "2", build: "vanilla", hardware: "0.1", isHardwareListed: true)
    }
  }

  struct Image: InstallableImage {
    var version: String
    var isApplication = true
    var size: Int { 1_000 }
  }

  struct Installation: FirmwareInstallation {
    let firmware: ToyFirmware
    let version: String
    var sum: String { "5u\(version)" }

    func images(for board: BootloaderDescription) throws(CommandFailure) -> [any InstallableImage] {
      let now = firmware.now
      if let refusal = now.refusal { throw refusal }
      return (0..<now.needed).map { Image(version: "0.\($0)", isApplication: false) } + [
        Image(version: version)
      ]
    }
  }

  func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex? { nil }

  func fetch(
    _ configuration: FirmwareConfiguration, at now: Timestamp
  ) async throws(FirmwareCheckFailure) -> FetchedIndex {
    FetchedIndex(Index(), from: .init(source: configuration.index, fetched: now))
  }

  func installation(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> any FirmwareInstallation {
    if request.file == "bad.zip" { throw .invalid("it is no package") }
    return Installation(firmware: firmware, version: request.version ?? "2")
  }
}

/// The bootloader of a toy on one link.
final class ToyBootloader: BootloaderDriver {
  private let firmware: ToyFirmware
  private let conversation: Conversation

  init(_ firmware: ToyFirmware, _ conversation: Conversation) {
    (self.firmware, self.conversation) = (firmware, conversation)
  }

  func identify() async throws(ProtocolFailure) -> BootloaderDescription {
    guard firmware.isInBootloader else {
      throw .linkEnded(LinkFailure(.servicesMissing, "the board has no such service"))
    }
    return BootloaderDescription(
      serialNumber: firmware.serial, modelNumber: "1", hardwareRevision: "0.1", version: "0.5")
  }

  func install(
    _ image: any InstallableImage, window: Int, progress: (TransferProgress) async -> Void
  ) async throws(TransferFailure) {
    if let failure = firmware.begins(window: window) { throw failure }
    for tenth in 1...10 {
      await progress(TransferProgress(sent: image.size / 10 * tenth, total: image.size))
      try? await conversation.pause(for: firmware.now.step)
      if let end = conversation.ending { throw TransferFailure(.again, end.message) }
    }
    firmware.takes(image)
  }

  func leave() async throws(ProtocolFailure) { firmware.leaves() }

  func received(_ packet: RawSpan, from characteristic: Characteristic) {}
}
