/// How often a board is given firmware, and how long it is waited for.
struct UpdateLimits: Hashable, Sendable {
  /// Transfers in a row of one image.
  var attempts = 3
  /// Packets on the way, at first and for boards that cannot follow.
  var windows = [10, 4, 1]

  init() {}

  /// `receipts` are on the way at first, and fewer ones of the family's `windows` for boards that cannot follow.
  init(attempts: Int, receipts: Int, windows: [Int]) {
    (self.attempts, self.windows) = (attempts, [receipts] + windows.filter { $0 < receipts })
  }

  /// How often an application is told to enter its bootloader.
  static let jumps = 3
  /// Until a board in neither shape counts as lost, and until one that is only looked at does.
  static let absence = Duration.seconds(600)
  static let shortAbsence = Duration.seconds(90)
  /// Between two transfers in a row.
  static let pause = Duration.seconds(2)
  /// Between two rows of transfers; the last one again and again.
  static let rescues: [Duration] = [.seconds(600), .seconds(3_600), .seconds(86_400)]
}
