/// What a bootloader's count of bytes says of what was sent. It counts since it was started, so that a transfer need
/// not begin at 0: the first count that is more than was sent says where it began.
struct ReceiptCount: Hashable, Sendable {
  enum Verdict: Hashable, Sendable {
    /// All that was sent is there.
    case whole
    /// So much is there as was confirmed before, or less: a repetition, or late.
    case old(Int)
    /// Something between is there, or more than was sent.
    case other(Int)
  }

  /// What was counted before the transfer; nil as long as nothing fits.
  private var base: Int?

  mutating func judge(_ count: Int, sent: Int, confirmed: Int) -> Verdict {
    if count == sent { base = 0 }
    if base == nil, count > sent { base = count - sent }
    let received = count - (base ?? 0)
    if received == sent { return .whole }
    return received <= confirmed ? .old(max(received, 0)) : .other(received)
  }
}
