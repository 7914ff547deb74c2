import FleetModel
import Testing

@testable import metafleet

@Suite struct FirmwareLockTests {
  private static let content = Array("abc".utf8)
  /// FIPS 180-4's own example.
  private static let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func `a file is new, then the same, and another one is refused`() {
    var lock = FirmwareLock()
    #expect(lock.judge("a/b.zip", Self.content) == .new)
    lock.trust("a/b.zip", Self.content)
    #expect(lock.judge("a/b.zip", Self.content) == .same)
    #expect(lock.judge("a/b.zip", [1]) == .changed)
    lock.trust("a/b.zip", [1])
    #expect(lock.judge("a/b.zip", Self.content) == .same)
  }

  @Test func `it is written as sha256sum writes it, and read again`() throws {
    var lock = FirmwareLock()
    lock.trust("b", Self.content)
    lock.trust("a", Self.content)
    #expect(lock.text == "\(Self.sum)  a\n\(Self.sum)  b\n")
    let again = try FirmwareLock(lock.text)
    #expect(again == lock)
    let binary = try FirmwareLock("\(Self.sum) *a\r\n\r\n")
    #expect(binary.sums == ["a": Self.sum])
  }

  @Test(arguments: ["x", "\(sum)", "\(sum) a", "\(sum)  ", "\(sum.dropLast())g  a"])
  func `a line that is none is named`(line: String) {
    #expect(throws: CommandFailure.invalid("line 2 of firmware.lock is no sum and file")) {
      try FirmwareLock("\(Self.sum)  first\n\(line)\n")
    }
  }
}
