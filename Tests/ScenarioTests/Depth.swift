import Glibc
import Testing

/// Where a scenario plays: the same body on simulated links in virtual time, over a real D-Bus against a fake
/// `org.bluez`, and in the BlueZ laboratory against a real kernel and a real bluetoothd.
enum Depth: String, CustomTestStringConvertible, Sendable {
  case simulated, privateBus, lab
  var testDescription: String { rawValue }

  /// The laboratory's guest says so in its environment; there is nothing else to be shown there.
  static let isLab = getenv("BLUEZ_LAB") != nil

  /// Those that this process plays.
  static let here: [Depth] = isLab ? [.lab] : [.simulated, .privateBus]
  /// The same, of those that have a bus and a bluetoothd on it.
  static let busesHere: [Depth] = isLab ? [.lab] : [.privateBus]

  /// Acceleration samples a second: the laboratory's one emulated processor carries about a thousand packets.
  var sampleRate: Double { self == .lab ? 25 : 50 }
}
