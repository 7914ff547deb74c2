package import BoardKit
package import FleetModel

/// Where indexes of firmware come from, and where the last one is kept.
package protocol FirmwareSource: Sendable {
  /// The last index that was fetched from where the configuration says; nil where there is none.
  func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex?

  /// Fetches the index and keeps it in the place of the last one. What cannot be read is not kept.
  func fetch(_ configuration: FirmwareConfiguration, at now: Timestamp) async throws(FirmwareCheckFailure)
    -> FetchedIndex

  /// Fetches and checks everything that an update needs. Throws `invalid` for what does not fit or is no package, and
  /// `internal` for what cannot be had.
  func installation(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> any FirmwareInstallation
}

extension FirmwareSource {
  /// For sources that only know what there is.
  package func installation(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> any FirmwareInstallation {
    throw CommandFailure(.unsupported, "this gateway does not install firmware")
  }
}

/// Which firmware is to be installed.
package struct InstallationRequest: Hashable, Sendable {
  /// Of which boards.
  package var recipient: FirmwareRecipient
  /// nil: the newest release.
  package var version: String?
  /// A file of the gateway's own instead of what the index lists.
  package var file: String?
  /// Of the board's bootloader, where it was seen before: what it cannot install is refused before the board is
  /// touched.
  package var bootloader: String?
  /// Whether the bootloader may be replaced first.
  package var allowsBootloader = false
  /// SHA-256 that the package has to have, of an update that goes on; nil: that of its first sight.
  package var sum: String?
}

/// An index, and where it is from.
package struct FetchedIndex: Sendable {
  package var index: any FirmwareIndex
  package var origin: FirmwareReport.Index
  /// What is wrong although there is an index: that it cannot be kept.
  package var trouble: String?

  package init(_ index: any FirmwareIndex, from origin: FirmwareReport.Index, trouble: String? = nil) {
    (self.index, self.origin, self.trouble) = (index, origin, trouble)
  }
}

/// Why there is no new index: a sentence with cause and remedy.
package struct FirmwareCheckFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
