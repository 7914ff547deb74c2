/// Why a link did not open, or why it ended; the case says what to do about it.
public struct LinkFailure: Error, Hashable, Sendable {
  /// The kinds of trouble there are.
  public enum Reason: String, Sendable, CaseIterable {
    /// Nobody answered at that address.
    case unreachable
    /// The board or its stack refused, or the attempt was aborted.
    case refused
    /// The adapter is busy with another attempt.
    case adapterBusy = "adapter-busy"
    /// The adapter has no room for another link.
    case noSlots = "no-slots"
    /// A deadline of ours passed.
    case timedOut = "timed-out"
    /// The other side ended the link, or the radio lost it.
    case linkLost = "link-lost"
    /// The system forgot the board while it was in use; it has to be discovered anew.
    case deviceGone = "device-gone"
    /// The board answered nothing although the link is up.
    case silent
    /// Our characteristics are not there.
    case servicesMissing = "services-missing"
    /// Another client holds the board or its notifications.
    case busyElsewhere = "busy-elsewhere"
    /// We ended the link ourselves.
    case closed
    /// The adapter is gone.
    case adapterGone = "adapter-gone"
    /// The adapter is off or blocked.
    case adapterOff = "adapter-off"
    /// No adapter can be used.
    case noRadio = "no-radio"
    /// bluetoothd left the bus, or the bus is gone.
    case serviceGone = "service-gone"
    /// The board wants a bond, which boards of this family never do: another firmware, or another device.
    case bondRequired = "bond-required"
    /// The strings of the board name a model that is not looked after.
    case unknownModel = "unknown-model"
    /// The board has not the serial number that the configuration names.
    case identityMismatch = "identity-mismatch"
    /// BlueZ, or the policy of the bus, does not let us.
    case notPermitted = "not-permitted"
    /// Anything else.
    case other
  }

  /// What the supervisor should do next.
  public enum Recovery: Sendable {
    /// Try again soon, with back-off.
    case retry
    /// Wait until the board is heard again.
    case retryWhenSeen
    /// Try another adapter, or wait for a free place.
    case waitForSlot
    /// Wait until the adapter or the service is back.
    case waitForRadio
    /// Remove the device object and discover it anew.
    case rediscover
    /// Something has to change first, perhaps by a person's hand: try again minutes later, or as soon as the board was
    /// away and is back.
    case retryLater
  }

  /// What happened.
  public var reason: Reason
  /// One sentence for a person; from BlueZ where it said something.
  public var message: String

  /// States a failure.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// What to do about it.
  public var recovery: Recovery {
    switch reason {
    case .unreachable, .deviceGone: .retryWhenSeen
    case .refused, .adapterBusy, .timedOut, .linkLost, .silent, .closed, .other: .retry
    case .noSlots: .waitForSlot
    case .servicesMissing: .rediscover
    case .busyElsewhere: .retry
    case .adapterGone, .adapterOff, .noRadio, .serviceGone: .waitForRadio
    case .bondRequired, .unknownModel, .identityMismatch, .notPermitted: .retryLater
    }
  }
}

extension LinkFailure: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}
