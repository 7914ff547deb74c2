import BoardKit
import FleetModel

/// What packets of one register tell that is not a sample.
enum Notice: Hashable, Sendable {
  case button
  case power
  case charge
  case pin(UInt8)
  case detectors(DetectorRegister)

  /// Turns the first byte of a packet's payload into events. Returns whether there were any.
  func appendEvents(
    _ flags: UInt8, length: Int, at time: Timestamp, into events: inout [(event: BoardEvent, time: Timestamp)]
  ) -> Bool {
    switch self {
    case .button: events.append((.button(isPressed: flags != 0), time))
    case .power: events.append((.happened(.power, flags == 0 ? "off" : "on", [:]), time))
    case .charge: events.append((.happened(.charge, flags == 0 ? "off" : "on", [:]), time))
    case .pin(let pin):
      events.append(
        (.happened(.gpio, flags == 0 ? "falling" : "rising", ["pin": .integer(Int64(pin))]), time))
    case .detectors(let register):
      let seen = register.events(flags, length: length)
      for event in seen { events.append((event, time)) }
      return !seen.isEmpty
    }
    return true
  }
}
