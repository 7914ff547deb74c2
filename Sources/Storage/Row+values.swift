internal import FleetModel
internal import FoundationEssentials
internal import GRDB

// How our values lie in columns: bytes as BLOB, points in time as nanoseconds, hashes by their bit pattern.
extension Row {
  func bytes(_ column: String) -> [UInt8] { [UInt8](self[column] as Data) }

  func bytes(at column: Int) -> [UInt8] { [UInt8](self[column] as Data) }

  func bytes(ifAny column: Int) -> [UInt8]? { (self[column] as Data?).map { [UInt8]($0) } }

  func bytes(ifAny column: String) -> [UInt8]? { (self[column] as Data?).map { [UInt8]($0) } }

  func time(_ column: String) -> Timestamp { Timestamp(nanoseconds: self[column]) }

  func time(ifAny column: String) -> Timestamp? {
    (self[column] as Int64?).map { Timestamp(nanoseconds: $0) }
  }

  func hash(_ column: String) -> UInt64 { UInt64(bitPattern: self[column] as Int64) }
}
