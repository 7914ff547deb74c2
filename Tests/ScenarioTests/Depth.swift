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
  /// Those at which it does not matter how busy the computer is: what goes by limits of minutes and takes seconds would
  /// wait for ever over a bus where every board is ten times as fast.
  static let unhurriedHere: [Depth] = isLab ? [.lab] : [.simulated]
  /// Of those, the ones that have a bus and a bluetoothd on it.
  static let busesHere: [Depth] = isLab ? [.lab] : [.privateBus]

  /// Acceleration samples a second: the laboratory's one emulated processor carries about a thousand packets.
  var sampleRate: Double { self == .lab ? 25 : 50 }
}
