import Glibc

/// A system call that the loop cannot do without was refused: which one, and the kernel's `errno`.
package struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let call: String
  package let code: Int32

  package init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  package var description: String {
    "\(call): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
  }
}
