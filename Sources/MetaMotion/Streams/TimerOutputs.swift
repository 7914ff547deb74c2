import BoardKit
import FleetModel

/// The timers whose ticks are wanted, by their slots (protocol reference, section 17). A tick says nothing but that it
/// came, so they are counted as they come.
struct TimerOutputs: Sendable {
  private struct Listener: Sendable {
    let key: StreamKey
    var count = 0.0
  }

  private var wanted: [UInt8: Listener] = [:]

  /// Takes the ticks of the timer in `slot` for a stream.
  mutating func add(slot: UInt8, for key: StreamKey) { wanted[slot] = Listener(key: key) }

  /// The same streams, whose counts go on where they stood in `earlier`.
  func counting(on earlier: TimerOutputs) -> TimerOutputs {
    var outputs = self
    for (slot, listener) in earlier.wanted where outputs.wanted[slot]?.key == listener.key {
      outputs.wanted[slot] = listener
    }
    return outputs
  }

  /// What has the board send them. The second of the two writes is shared by all, and stays (section 2.3).
  var runs: [SensorRun] {
    wanted.keys.map { slot in
      SensorRun(
        unit: .timer(slot), start: [BoardTimer.setNotification(slot, true), BoardTimer.tick.subscribe],
        stop: [BoardTimer.setNotification(slot, false)])
    }
  }

  /// Slots whose ticks are wanted.
  var slots: Set<UInt8> { Set(wanted.keys) }

  /// Decodes a packet of the ticks' register. What nobody wants is noted.
  mutating func decode(
    _ packet: RawSpan, at arrival: Timestamp, into readings: inout ReadingBuffer,
    noting staleSubscriptions: inout StaleSubscriptions
  ) -> PacketVerdict {
    guard packet.byteCount > 2 else { return .malformed }
    let slot = packet.unsafeLoadUnaligned(fromByteOffset: 2, as: UInt8.self)
    guard var listener = wanted[slot] else {
      staleSubscriptions.note(timer: slot)
      return .unwanted
    }
    listener.count += 1
    wanted[slot] = listener
    readings.append(listener.key, at: arrival, listener.count)
    return .taken
  }
}
