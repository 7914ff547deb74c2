import Dialects
import FleetModel
import EventLoops

/// What belongs to one connection, from the first byte on, and dies with it. Confined to the loop's thread.
final class BrokerSession {
  /// Somebody who waits for the broker's answer to a subscription.
  struct Reply {
    let continuation: CheckedContinuation<BrokerFailure?, Never>
    let deadline: LoopTimer
  }

  let pump: ClientPump
  var outstanding = OutstandingMessages()
  var congestion = Congestion()
  var acknowledgements = AcknowledgementWatch()
  /// By message id.
  var replies: [Int32: Reply] = [:]
  /// nil until the broker has greeted us.
  var connection: BrokerConnection?
  /// Those who wait for an orderly end; not empty once it has been asked for.
  var disconnectWaiters: [CheckedContinuation<Void, Never>] = []
  var hasSentDisconnect = false
  /// The broker has what we sent, and acknowledges nothing.
  private(set) var isDeaf = false

  init(_ pump: ClientPump) { self.pump = pump }

  var client: MosquittoClient { pump.client }

  var isClosing: Bool { !disconnectWaiters.isEmpty }

  /// Hands a message over, or says why not.
  func publish(_ message: MQTTMessage, token: UInt64) -> BrokerFailure? {
    let size = PacketSize.ofPublish(message)
    if let limit = connection?.maximumPacketSize, size > limit { return .tooLarge }
    let isBlocked = client.wantsToWrite
    if message.qualityOfService != .atMostOnce {
      congestion.note(bytes: size, isBlocked: isBlocked)
    } else if !congestion.admits(bytes: size, isBlocked: isBlocked) {
      return .refused(0x97, "more messages than the connection can carry")
    }
    do throws(BrokerFailure) {
      let id = try client.publish(message)
      if message.qualityOfService == .atMostOnce {
        outstanding.passOver()
      } else {
        outstanding.add(id, token: token)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Looks after the connection, once a second; a result code of the library. `isReading`: what the broker says is
  /// taken.
  func tick(isReading: Bool) -> Int32 {
    let isSent = isReading && !client.wantsToWrite && client.bytesOnTheWay <= BrokerLimits.bytesOnTheWay
    isDeaf = acknowledgements.tick(isWaiting: !outstanding.isEmpty, isSent: isSent)
    return pump.tick()
  }

  /// Goes on with an orderly end: what is on its way first, then DISCONNECT.
  func continueDisconnect() {
    if isClosing, !hasSentDisconnect, outstanding.isEmpty { sendDisconnect() }
  }

  /// Behind everything that waits to be written.
  func sendDisconnect() {
    hasSentDisconnect = true
    // Bytes left unread would make the kernel reset the connection and the broker lose our last ones.
    _ = client.read()
    _ = client.disconnect()
  }
}
