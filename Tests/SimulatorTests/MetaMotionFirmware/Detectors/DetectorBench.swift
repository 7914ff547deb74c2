@testable import Simulator

/// A detector on the bench, fed with samples at 100 Hz.
struct DetectorBench<Detector: MotionDetector> {
  var detector: Detector
  var now = Duration.zero

  init(_ detector: Detector) { self.detector = detector }

  /// What it tells while it feels the same acceleration `count` times.
  mutating func feel(_ acceleration: SIMD3<Double>, _ count: Int = 1) -> [UInt8] {
    (0..<count).compactMap { _ in
      now += .milliseconds(10)
      return detector.feel(acceleration, at: now)
    }
  }
}
