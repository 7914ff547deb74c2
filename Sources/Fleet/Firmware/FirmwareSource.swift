package import BoardKit
package import FleetModel

/// Where indexes of firmware come from, and where the last one is kept.
package protocol FirmwareSource: Sendable {
  /// The last index that was fetched from where the configuration says; nil where there is none.
  func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex?

  /// Fetches the index and keeps it in the place of the last one. What cannot be read is not kept.
  func fetch(_ configuration: FirmwareConfiguration, at now: Timestamp) async throws(FirmwareCheckFailure)
    -> FetchedIndex
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
