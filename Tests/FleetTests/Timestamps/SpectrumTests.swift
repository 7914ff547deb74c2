import FleetModel
import Foundation
import Testing

/// What somebody who computes a spectrum of published samples sees.
@Suite struct SpectrumTests {
  /// Power of a vibration of 37 Hz at `frequency`, by samples that were taken at their true times and are believed to
  /// have been taken at `times`.
  private func power(_ puts: [AirRig.Put], at frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    let start = puts[0].stamp
    for put in puts {
      let value = sin(2 * .pi * 37 * (put.truth - start).inSeconds)
      let phase = 2 * .pi * frequency * (put.stamp - start).inSeconds
      real += value * cos(phase)
      imaginary += value * sin(phase)
    }
    return (real * real + imaginary * imaginary).squareRoot() * 2 / Double(puts.count)
  }

  @Test(
    arguments: [(1, 0.0487, 1.013), (3, 0.0487, 0.987), (3, 0.0971, 1.0), (3, 0.03, 0.97)])
  func
    `F143 a vibration of 37 Hz, taken at 400 Hz and sent over a link that clumps, stands at 37 Hz in the spectrum`(
      samples: Int, clump: Double, speed: Double
    ) throws
  {
    let puts = AirRig(rate: 400, speed: speed, samplesInPacket: samples, seconds: 50, clump: clump).play()
    // By then the sensor's own rate is known.
    let steady = Array(puts.drop { ($0.truth - puts[0].truth).inSeconds < 15 })
    let spectrum = stride(from: 30.0, through: 44, by: 0.02).map { ($0, power(steady, at: $0)) }
    let whole = stride(from: 30.0, through: 44, by: 0.02).map { ($0, power(puts, at: $0)) }
    #expect(abs(try #require(whole.max { $0.1 < $1.1 }).0 - 37) <= 0.1, "from the first sample on")
    let peak = try #require(spectrum.max { $0.1 < $1.1 })
    #expect(abs(peak.0 - 37) <= 0.1)
    #expect(peak.1 > 0.9, "nearly all of it stands there")
    // Nothing else stands out: a hundredth of it, beyond the width of the peak.
    let rest = spectrum.filter { abs($0.0 - 37) > 1 }.map(\.1).max() ?? 0
    #expect(rest < 0.05)
  }
}
