/// Boards to be removed, and what becomes of what is kept of them; or an adapter that is gone.
public struct ForgetRequest: Hashable, Sendable {
  /// Whom it removes.
  public enum Target: Hashable, Sendable {
    /// That one.
    case board(BoardID)
    /// Every board that was admitted at run time and was never connected.
    case neverConnected
    /// An adapter that is missing.
    case adapter(AdapterID)
  }

  /// Whom it removes.
  public var target: Target
  /// Whether what they logged stays on the disk.
  public var keepsData: Bool
  /// Whether their addresses are refused from now on, until somebody admits them.
  public var blocks: Bool

  /// Wants `target` removed.
  public init(_ target: Target, keepsData: Bool = true, blocks: Bool = false) {
    self.target = target
    self.keepsData = keepsData
    self.blocks = blocks
  }
}
