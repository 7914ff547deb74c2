import BoardKit
import FleetModel
import Testing

@testable import metafleet

@Suite struct TryStepBoardTests {
  @Test func `what the board is`() {
    let board = BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "0590CA",
      hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270", modules: [:],
      slots: BoardDescription.Slots(), streams: [])
    #expect(
      TryStep.information(board)
        == .done(
          .information, "MetaMotion S, firmware 1.7.3, hardware 0.1, serial number 0590CA (read)",
          ["model": "MetaMotion S", "fw": "1.7.3", "hw": "0.1", "serial": "0590CA"]))
  }

  @Test func `what others left on the board`() {
    #expect(TryStep.programs([]).text.hasPrefix("the board holds no loggers"))
    #expect(
      TryStep.programs(["logger/0", "timer/1"])
        == .done(
          .programs, "the board holds logger/0, timer/1 of somebody, which stay as they are (read)",
          ["foreign": ["logger/0", "timer/1"]]))
  }

  @Test func `the battery in percent and volts`() {
    #expect(
      TryStep.battery([81, 3_984])
        == .done(.battery, "81 %, 3.98 V (read)", ["battery_pct": 81, "battery_mv": 3_984]))
    #expect(TryStep.battery([12, 3_600]).text == "12 %, 3.6 V (read); charge it")
    #expect(TryStep.battery([81]).outcome == .failed(.no))
  }

  @Test func `the LED, with how its pattern and its end were verified`() {
    let (readBack, sent) = (done(.readback), done(.linkWrite))
    #expect(
      TryStep.led(readBack, off: sent)
        == .done(
          .led, "three green flashes (read back); switched off (only sent)",
          ["evidence": "readback", "off_evidence": "link-write"]))
    #expect(TryStep.led(failed(.unsupported, "this board has no LED module"), off: nil).outcome == .leftOut)
    let dark = TryStep.led(failed(.boardError, "the LED holds nothing"), off: readBack)
    #expect(dark.outcome == .failed(.no))
    #expect(dark.text.hasPrefix("the LED was not lit: the LED holds nothing; bring"))
    let lit = TryStep.led(readBack, off: .unknown(message: "no answer"))
    #expect(lit.text.hasPrefix("the LED was lit, and may not be off again: no answer; bring"))
  }

  @Test func `nobody believes that the motor ran`() {
    let step = TryStep.haptic(done(.linkWrite), milliseconds: 200)
    #expect(step.text.hasPrefix("200 ms (only sent, no board reports it)"))
    #expect(step.data == ["evidence": "link-write", "pulse_ms": 200])
    #expect(
      TryStep.haptic(failed(.unsupported, "this board has no haptic module"), milliseconds: 200)
        == .leftOut(.haptic, "this board has no haptic module"))
  }

  @Test func `the measured rate beside the one that was asked for`() {
    #expect(
      TryStep.acceleration(measured(packets: 50), asked: 50, evidence: .readback, stop: .readback)
        == .done(
          .acceleration,
          "153 samples, 50.0 Hz measured, 50.0 Hz asked; 1.0 g on average, about 1 at rest; "
            + "settings read back, stopped (read back)",
          [
            "samples": 153, "asked_hz": .number(50), "magnitude_g": .number(1), "evidence": "readback",
            "measured_hz": .number(50), "stop_evidence": "readback",
          ]))
  }

  @Test func `too few samples are told, none and a sensor that goes on are failures`() {
    let slow = TryStep.acceleration(
      measured(packets: 50), asked: 100, evidence: .readback, stop: .linkWrite)
    #expect(slow.outcome == .done && slow.text.contains("samples are missing: bring the board nearer"))
    let none = TryStep.acceleration(
      AccelerationMeasurement(), asked: 50, evidence: .readback, stop: .readback)
    #expect(none.outcome == .failed(.no) && none.text.contains("(read back), and no sample came; bring"))
    let endless = TryStep.acceleration(measured(packets: 50), asked: 50, evidence: .readback, stop: nil)
    #expect(endless.outcome == .failed(.no) && endless.text.contains("the board did not stop"))
    #expect(endless.data["stop_evidence"] == nil)
  }

  private func done(_ evidence: Evidence) -> CommandOutcome { .done(evidence: evidence, data: [:]) }

  private func failed(_ code: CommandFailure.Code, _ message: String) -> CommandOutcome {
    .failed(CommandFailure(code, message))
  }

  /// Three samples every 60 ms, of a board that lies still.
  private func measured(packets: Int64) -> AccelerationMeasurement {
    var measured = AccelerationMeasurement()
    for packet in 0...packets {
      measured.take(Array(repeating: [0, 0, 1], count: 3), at: Timestamp(milliseconds: packet * 60))
    }
    return measured
  }
}
