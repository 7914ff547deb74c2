/// What is counted while a board is given firmware.
struct UpdateCounts: Hashable, Sendable {
  /// Transfers of this image in a row, and of all.
  var attempts = 0, transfers = 0
  var jumps = 0
  /// Rows of transfers that failed.
  var rows = 0
  /// Times that the bootloader could not follow, and that it was still in an earlier transfer.
  var slower = 0, leftOver = 0
}
