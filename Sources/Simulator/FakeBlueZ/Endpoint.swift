import BoardKit

/// One characteristic as clients use it: who listens, and the sockets that were handed out.
struct Endpoint {
  let path: String
  let key: Characteristic
  let properties: AttributeProperties
  var sessions = NotifySessions()
  /// BlueZ shows `Notifying` only once it has subscribed.
  var isNotifying = false
  var notifySocket: PacketSocket?
  var writeSocket: PacketSocket?

  func closeSockets() {
    notifySocket?.close()
    writeSocket?.close()
  }
}
