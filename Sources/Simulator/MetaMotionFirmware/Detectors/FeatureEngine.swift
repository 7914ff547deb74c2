/// The part of an accelerometer that looks at the motion by itself: its detectors and its step counter.
struct FeatureEngine: Sendable {
  private let features: [AccelerometerFeature]
  private let stepFeature: StepFeature
  private var detectors: [(output: UInt8, detector: any MotionDetector)] = []
  private var pedometer: Pedometer?
  private var reportsSteps = false
  private var counts = false
  private var watermark = 0
  private(set) var steps: UInt16 = 0

  init(chip: AccelerometerChip) {
    features = chip.features
    stepFeature = chip.steps
  }

  /// Everything starts anew with what is switched on now; the count goes on.
  mutating func configure(_ state: ChipState) {
    detectors = features.filter { $0.isOn(state) }.map { ($0.output, $0.make(state)) }
    reportsSteps = stepFeature.detects(state)
    counts = stepFeature.counts(state)
    watermark = stepFeature.watermark(state)
    pedometer = reportsSteps || counts ? stepFeature.pedometer(state) : nil
  }

  mutating func resetSteps() { steps = 0 }

  /// Whether a sample would make a difference to anybody.
  func isBusy(on board: Mainboard) -> Bool {
    counts || reportsSteps && board.isWanted(AccelerometerModule.id, stepFeature.output)
      || detectors.contains { board.isWanted(AccelerometerModule.id, $0.output) }
  }

  /// A sample, in g.
  mutating func feel(_ acceleration: SIMD3<Double>, on board: inout Mainboard) {
    for index in detectors.indices {
      if let flags = detectors[index].detector.feel(acceleration, at: board.now) {
        board.fire(AccelerometerModule.id, detectors[index].output, [flags])
      }
    }
    guard let new = pedometer?.feel(acceleration, at: board.now), new > 0 else { return }
    if reportsSteps {
      for _ in 0..<new { board.fire(AccelerometerModule.id, stepFeature.output, [1]) }
    }
    guard counts else { return }
    let before = Int(steps)
    steps &+= UInt16(new)
    guard watermark > 0, (before + new) / watermark > before / watermark else { return }
    board.fire(AccelerometerModule.id, stepFeature.output, steps.littleEndianBytes)
  }
}
