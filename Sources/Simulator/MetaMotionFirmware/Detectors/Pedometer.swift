/// Recognises steps: the magnitude of the acceleration rises above a threshold after it has been below 1 g, not more
/// often than people step.
struct Pedometer: Sendable {
  private static let shortestStep = Duration.milliseconds(250)
  private static let longestStep = Duration.seconds(2)

  /// In g above rest.
  private let threshold: Double
  /// So many steps in a row are held back, in case they are none.
  private let heldBack: Int
  private var isArmed = true
  private var lastStep: Duration?
  private var row = 0
  /// Between the last two steps; nil without a row of steps.
  private(set) var interval: Duration?

  init(threshold: Double, heldBack: Int) {
    self.threshold = threshold
    self.heldBack = heldBack
  }

  /// How many steps are to be counted because of this sample.
  mutating func feel(_ acceleration: SIMD3<Double>, at now: Duration) -> Int {
    let magnitude = (acceleration * acceleration).sum().squareRoot()
    if magnitude < 1 { isArmed = true }
    if let lastStep, now - lastStep > Self.longestStep { forget() }
    guard isArmed, magnitude > 1 + threshold else { return 0 }
    if let lastStep, now - lastStep < Self.shortestStep { return 0 }
    isArmed = false
    interval = lastStep.map { now - $0 }
    lastStep = now
    row += 1
    return row <= heldBack ? 0 : row == heldBack + 1 ? row : 1
  }

  private mutating func forget() {
    lastStep = nil
    interval = nil
    row = 0
  }
}
