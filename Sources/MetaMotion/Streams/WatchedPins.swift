import BoardKit

/// Pins whose changes are reported by command, beside those that are streamed (MQTT contract 3.9).
struct WatchedPins: Sendable {
  private var pins: Set<UInt8> = []

  var isEmpty: Bool { pins.isEmpty }

  /// A pin's changes are to be reported, or no longer.
  mutating func watch(_ pin: UInt8, _ isOn: Bool) {
    if isOn { pins.insert(pin) } else { pins.remove(pin) }
  }

  /// How their packets are read.
  var routes: [PacketRoute] {
    pins.sorted().map { PacketRoute(Pin.change, selector: $0, notice: .pin($0)) }
  }
}
