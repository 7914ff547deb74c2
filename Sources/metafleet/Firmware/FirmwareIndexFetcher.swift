import Curl
import Fleet
import FleetModel
import MetaMotion

/// The vendor's index of firmware, over https or from a directory, and the copy that is kept of it.
struct FirmwareIndexFetcher: FirmwareSource {
  let transfers: Transfers
  /// Where the state of the gateway lies.
  let stateDirectory: String
  /// What an authority of one's own is named by.
  var authorityOption = "firmware.ca"

  /// Name of the index in a directory, as the vendor's server has it.
  static let indexName = "info2.json"

  func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex? {
    guard let file = try? FileContent.read(place(configuration), atMost: FirmwareCatalogue.largestIndex * 2),
      let kept = KeptIndex(file: file), kept.origin.source == configuration.index,
      let catalogue = try? FirmwareCatalogue(kept.bytes)
    else { return nil }
    return FetchedIndex(catalogue, from: kept.origin)
  }

  func fetch(
    _ configuration: FirmwareConfiguration, at now: Timestamp
  ) async throws(FirmwareCheckFailure) -> FetchedIndex {
    let (bytes, catalogue) = try await read(configuration)
    let origin = FirmwareReport.Index(source: configuration.index, fetched: now)
    var trouble: String?
    do throws(CommandFailure) {
      try WholeFile.write(KeptIndex(bytes, from: origin).file, to: place(configuration))
    } catch {
      trouble = "the index cannot be kept for the next start of the gateway: \(error.message)"
    }
    return FetchedIndex(catalogue, from: origin, trouble: trouble)
  }

  /// The index as it is now, as bytes and read.
  func read(
    _ configuration: FirmwareConfiguration
  ) async throws(FirmwareCheckFailure) -> (bytes: [UInt8], catalogue: FirmwareCatalogue) {
    let source = configuration.index
    let bytes =
      source.hasPrefix("/")
      ? try Self.file("\(source)/\(Self.indexName)", FirmwareCatalogue.largestIndex)
      : try await fetch(source, FirmwareCatalogue.largestIndex, configuration)
    do throws(FirmwareCatalogue.Unreadable) {
      return (bytes, try FirmwareCatalogue(bytes))
    } catch {
      let remedy =
        source.hasPrefix("/")
        ? "copy the index there anew"
        : "check that the address is that of the index itself and not of a page or a login, or try again later"
      throw FirmwareCheckFailure("what lies at \(source) cannot be used as an index: \(error); \(remedy)")
    }
  }

  /// A file that an index lists, from beside the index.
  func file(_ path: String, _ configuration: FirmwareConfiguration) async throws(FirmwareCheckFailure)
    -> [UInt8]
  {
    let (source, limit) = (configuration.index, FirmwareMirror.largestFile)
    if source.hasPrefix("/") { return try Self.file("\(source)/\(path)", limit) }
    let folder = source.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    return try await fetch("\(folder)/\(path)", limit, configuration)
  }

  private func fetch(
    _ address: String, _ limit: Int, _ configuration: FirmwareConfiguration
  ) async throws(FirmwareCheckFailure) -> [UInt8] {
    var request = TransferRequest(address, largestSize: limit)
    request.authorities = configuration.authorities
    do throws(TransferFailure) { return try await transfers.fetch(request) } catch {
      let remedy =
        if case .untrusted = error {
          "; if it is your own, name the file of its authority as \(authorityOption)"
        } else {
          ""
        }
      throw FirmwareCheckFailure("\(address) cannot be fetched: \(error)\(remedy)")
    }
  }

  private static func file(_ path: String, _ limit: Int) throws(FirmwareCheckFailure) -> [UInt8] {
    do throws(FileContent.Failure) { return try FileContent.read(path, atMost: limit) } catch {
      throw FirmwareCheckFailure(error.text(path))
    }
  }

  private func place(_ configuration: FirmwareConfiguration) -> String { "\(directory(configuration))/index" }

  /// Where the index and packages are kept.
  func directory(_ configuration: FirmwareConfiguration) -> String {
    configuration.directory ?? "\(stateDirectory)/firmware"
  }
}
