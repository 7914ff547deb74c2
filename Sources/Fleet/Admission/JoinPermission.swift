import FleetModel

/// Whether boards that are not listed are admitted by themselves. Pure: the file says so at first, then whoever
/// commands it, until the process ends or the file says something else. Times are uptimes.
struct JoinPermission: Sendable {
  private(set) var mode: AdmissionPolicy.Mode
  /// The profile of boards that are admitted so.
  private(set) var profile: String?
  /// When a window closes.
  private(set) var closing: Duration?
  /// What the file said last.
  private(set) var policy: AdmissionPolicy

  /// As the file says; its window is counted from `start`.
  init(_ policy: AdmissionPolicy, since start: Duration) {
    (self.policy, mode, profile) = (policy, policy.mode, policy.profile)
    closing = policy.mode == .window ? start + policy.window : nil
  }

  /// The file was read again: what it says counts where it changed, else what was commanded stands. Limits are never
  /// commanded.
  mutating func reloaded(_ policy: AdmissionPolicy, since start: Duration) {
    let old = self.policy
    self.policy = policy
    if (policy.mode, policy.window) != (old.mode, old.window) || policy.profile != old.profile {
      self = JoinPermission(policy, since: start)
    }
  }

  /// Somebody commands it; `window` is how long a window stays open.
  mutating func set(_ mode: AdmissionPolicy.Mode, for window: Duration, profile: String?, at uptime: Duration)
  {
    (self.mode, self.profile) = (mode, profile ?? policy.profile)
    closing = mode == .window ? uptime + window : nil
  }

  /// Whether boards that are not listed are admitted.
  func isOpen(at uptime: Duration) -> Bool {
    switch mode {
    case .listed: false
    case .open: true
    case .window: closing.map { uptime < $0 } ?? false
    }
  }

  /// By what such a board was admitted.
  var origin: DesiredBoard.Origin { mode == .open ? .open : .window }
}
