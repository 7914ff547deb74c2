import Glibc
import Testing

@testable import EventLoops

@Suite struct SystemErrorTests {
  @Test func `the kernel's words`() {
    #expect(SystemError.reason(ENOENT) == "No such file or directory")
  }

  @Test(arguments: [(EACCES, true), (EPERM, true), (ENOENT, false), (EROFS, false)])
  func `the user is named only where it may not`(code: Int32, isDenied: Bool) {
    let user = SystemError.user(deniedBy: code)
    #expect((user != nil) == isDenied && user?.isEmpty != true)
  }
}
