import Dialects
import FleetModel

/// What a callback of the library said.
enum ClientEvent: Sendable {
  case accepted(isSessionPresent: Bool, receiveMaximum: UInt16?, maximumPacketSize: UInt32?)
  /// The broker said no, with this code.
  case refused(UInt8)
  /// A QoS 0 message was written, or one of a higher QoS acknowledged with this code.
  case published(id: Int32, code: UInt8)
  case received(MQTTMessage)
  case subscribed(id: Int32, codes: [UInt8])
  case unsubscribed(id: Int32)
  /// A reason code of the broker (from 0x80 on) or a result code of the library; `errno` at that moment.
  case disconnected(Int32, number: Int32)
}

/// Where callbacks leave what they were told, to be taken when the library has returned: the library is not to be
/// called, and least of all destroyed, from inside its callbacks.
final class ClientInbox {
  var events: [ClientEvent] = []
  /// The last error the library logged; only TLS says there what is wrong.
  private(set) var lastError = ""
  /// The DUP flag of the message being read, which the library tells in its log alone.
  var isRedelivery = false

  /// The library logs an error. Behind its own words about the name in a certificate come OpenSSL's, which fit every
  /// certificate that is refused.
  func logged(error text: String) {
    let isConsequence =
      lastError.contains("host name verification") && text.contains("certificate verify failed")
    if !isConsequence { lastError = text }
  }

  func takeAll() -> [ClientEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }
}
