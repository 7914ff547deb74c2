import Glibc

/// The boards' sockets as `sender` hands them over.
enum Sockets {
  private static let ready: Int32 = 99
  private static let first: Int32 = 100

  static var count: Int { getenv("BENCH_BOARDS").flatMap { Int(String(cString: $0)) } ?? 0 }
  static func descriptor(of board: Int) -> Int32 { first + Int32(board) }

  /// Tells the sender to begin.
  static func begin() {
    var byte: UInt8 = 1
    _ = write(ready, &byte, 1)
  }
}
