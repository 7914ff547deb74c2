import CMosquitto
import Dialects
import FleetModel
import Glibc

/// The C callbacks of a client. They run on whatever thread called the library, inside that call.
enum ClientCallbacks {
  /// `inbox` is not retained: whoever owns the client owns it, too.
  static func install(on client: OpaquePointer, inbox: ClientInbox) {
    mosquitto_user_data_set(client, Unmanaged.passUnretained(inbox).toOpaque())
    mosquitto_connect_v5_callback_set(client, connected)
    mosquitto_disconnect_v5_callback_set(client, disconnected)
    mosquitto_publish_v5_callback_set(client, published)
    mosquitto_message_v5_callback_set(client, received)
    mosquitto_subscribe_v5_callback_set(client, subscribed)
    mosquitto_unsubscribe_v5_callback_set(client, unsubscribed)
    listenToLog(of: client, true)
  }

  static func listenToLog(of client: OpaquePointer, _ isWanted: Bool) {
    mosquitto_log_callback_set(client, isWanted ? logged : nil)
  }

  private typealias Pointer = UnsafeMutableRawPointer

  private static func inbox(_ pointer: Pointer?) -> ClientInbox? {
    pointer.map { Unmanaged<ClientInbox>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let connected:
    @convention(c) (OpaquePointer?, Pointer?, Int32, Int32, OpaquePointer?) -> Void = {
      _, pointer, code, flags, properties in
      let event: ClientEvent =
        code == 0
        ? .accepted(
          isSessionPresent: flags & 1 != 0,
          receiveMaximum: UInt16(MQTT_PROP_RECEIVE_MAXIMUM, in: properties),
          maximumPacketSize: UInt32(MQTT_PROP_MAXIMUM_PACKET_SIZE, in: properties))
        : .refused(UInt8(truncatingIfNeeded: code))
      inbox(pointer)?.events.append(event)
    }

  private static let disconnected: @convention(c) (OpaquePointer?, Pointer?, Int32, OpaquePointer?) -> Void =
    {
      _, pointer, code, _ in
      let number = errno
      inbox(pointer)?.events.append(.disconnected(code, number: number))
    }

  private static let published:
    @convention(c) (OpaquePointer?, Pointer?, Int32, Int32, OpaquePointer?) -> Void = {
      _, pointer, id, code, _ in
      inbox(pointer)?.events.append(.published(id: id, code: UInt8(truncatingIfNeeded: code)))
    }

  private static let received:
    @convention(c) (
      OpaquePointer?, Pointer?, UnsafePointer<mosquitto_message>?, OpaquePointer?
    ) -> Void = { _, pointer, message, properties in
      guard let inbox = inbox(pointer), let message = message?.pointee, let topic = message.topic else {
        return
      }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: message.payload == nil ? 0 : Int(message.payloadlen))
      var received = MQTTMessage(
        topic: String(cString: topic), payload: [UInt8](payload),
        qualityOfService: .init(rawValue: UInt8(truncatingIfNeeded: message.qos)) ?? .exactlyOnce,
        isRetained: message.retain)
      received.isRedelivery = inbox.isRedelivery
      received.properties = MQTTMessage.Properties(reading: properties)
      inbox.isRedelivery = false
      inbox.events.append(.received(received))
    }

  private static let subscribed:
    @convention(c) (
      OpaquePointer?, Pointer?, Int32, Int32, UnsafePointer<Int32>?, OpaquePointer?
    ) -> Void = { _, pointer, id, count, granted, _ in
      let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(count))
      inbox(pointer)?.events.append(.subscribed(id: id, codes: codes.map { UInt8(truncatingIfNeeded: $0) }))
    }

  private static let unsubscribed: @convention(c) (OpaquePointer?, Pointer?, Int32, OpaquePointer?) -> Void =
    {
      _, pointer, id, _ in inbox(pointer)?.events.append(.unsubscribed(id: id))
    }

  /// A public message struct without the DUP flag leaves only this: the library logs "received PUBLISH (d1, …"
  /// just before it delivers. Should the wording change, redeliveries count as fresh, which is what they were
  /// before there was a flag.
  private static let logged: @convention(c) (OpaquePointer?, Pointer?, Int32, UnsafePointer<CChar>?) -> Void =
    {
      _, pointer, level, text in
      guard let inbox = inbox(pointer), let text else { return }
      switch level {
      case MOSQ_LOG_DEBUG: if strstr(text, " received PUBLISH (d1,") != nil { inbox.isRedelivery = true }
      case MOSQ_LOG_ERR: inbox.logged(error: String(cString: text))
      default: break
      }
    }
}
