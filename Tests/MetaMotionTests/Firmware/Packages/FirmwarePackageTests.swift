import FleetModel
import Testing

@testable import MetaMotion

/// Packages of another program's making (`Vectors/firmware-package.json`): those of every form, and what is wrong with
/// others.
@Suite struct FirmwarePackageTests {
  private static func vectors(refused: Bool) throws -> [VectorCase] {
    try VectorCase.cases(of: "firmware-package").filter { ($0.expect["refused"] != nil) == refused }
  }

  @Test func `every form of a package is read`() throws {
    let vectors = try Self.vectors(refused: false)
    #expect(vectors.count == 14)
    for vector in vectors {
      let package = try FirmwarePackage(vector.inject[0])
      #expect(
        package.image
          == FirmwareImage(
            kind: try #require(
              FirmwareImage.Kind(rawValue: UInt8(vector.expect["kind"]?.integer ?? 0))),
            softDeviceSize: Int(vector.expect["soft_device"]?.integer ?? 0),
            initPacket: bytes(vector.expect["init"]?.string ?? ""),
            bytes: bytes(vector.expect["image"]?.string ?? "")), "\(vector.name)")
      #expect(package.digest == vector.expect["sha256"]?.string, "\(vector.name)")
    }
  }

  @Test func `D13 what is no package, or not whole, is refused with its reason before a board is touched`()
    throws
  {
    let vectors = try Self.vectors(refused: true)
    #expect(vectors.count == 39)
    for vector in vectors {
      let reason = vector.expect["refused"]?.string ?? ""
      do throws(FirmwarePackage.Unusable) {
        _ = try FirmwarePackage(vector.inject[0])
        Issue.record("\(vector.name) is accepted")
      } catch {
        let fits = reason.hasSuffix(": ") ? error.description.hasPrefix(reason) : error.description == reason
        #expect(fits, "\(vector.name): \(error.description)")
      }
    }
  }

  @Test func `D13 a package of any size ends the reading early`() {
    let large = Array("PK".utf8) + [UInt8](repeating: 0, count: ZipArchive.largestArchive)
    #expect(throws: FirmwarePackage.Unusable.self) { try FirmwarePackage(large) }
  }

  @Test func `D13 a package whose end is missing is never taken, wherever it ends`() throws {
    let whole = try #require(try Self.vectors(refused: false).first).inject[0]
    for length in 0..<whole.count {
      #expect(throws: FirmwarePackage.Unusable.self) { try FirmwarePackage(Array(whole.prefix(length))) }
    }
  }

  @Test func `D13 D07 no byte of a package can change and bring another image`() throws {
    let vector = try #require(try Self.vectors(refused: false).first)
    let whole = vector.inject[0]
    let image = bytes(vector.expect["image"]?.string ?? "")
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1 << UInt8(index % 8)
      // What it says of its own date, for example, is nothing to us.
      if let package = try? FirmwarePackage(damaged) {
        #expect(package.image.bytes == image, "byte \(index)")
      }
    }
  }

  @Test func `D13 a file of an archive is compared with its checksum, whatever else protects it`() throws {
    // The file "a" with the bytes "abc", as zipfile of Python 3.11 stores it.
    var archive = bytes(
      "504b030414000000000000002150c241243503000000030000000100000061616263504b010214031400000000000000"
        + "2150c2412435030000000300000001000000000000000000000080010000000061504b050600000000010001002f0000"
        + "00220000000000")
    #expect(try ZipArchive(archive).content(of: "a") == Array("abc".utf8))
    archive[31] ^= 1
    #expect(throws: FirmwarePackage.Unusable.self) { try ZipArchive(archive).content(of: "a") }
  }
}
