/// Sends one image to a board in its bootloader, over one link, up to its activation (legacy DFU; protocol reference,
/// section 34.3). Pure: what happens comes in with its time, what is to be done comes out.
///
///      waiting ──ready──▶ starting ─────▶ describing ─────▶ sending ─────▶ validating ─────▶ activating ──▶ done
///         │                  │ 10 01 01      │ 10 02 01       ▲  │ 10 03 01    │ 10 04 01       │ link ended
///         │ abort            │               │         receipt└──┘ n packets   │                │
///         ▼                  ▼               ▼                   ▼             ▼                ▼
///      resetting ◀───────────┴───────────────┴───────────────────┴─────────────┴────────────────┘
///         │ link ended, or 10 s            a refusal, silence, another count; a link that ended fails at once
///         ▼
///      aborted, failed
///
/// `ready` is the point of no return: behind it the board may have lost its application, whatever comes of the
/// transfer, and nothing aborts it any more. There is no resuming either: a new link begins from the start, with a new
/// value, and the gateway (`BoardUpdate`) says whether and how.
package struct BootloaderTransfer: Sendable {
  /// What happened.
  package enum Event: Hashable, Sendable {
    /// The link is up, it is proved whose it is, and notifications of the control point are on.
    case ready
    /// The control point notified this.
    case received([UInt8])
    /// A write failed, while the link is up as far as we know. Effects behind it in the list are left out.
    case writeFailed
    /// The time of the last `wait` is over.
    case timedOut
    case linkEnded
    /// Leave the bootloader without a transfer. Ignored from `ready` on (`mayAbort`).
    case abort
  }

  /// What is to be done, in its order, each when the one before is; events that come meanwhile are handed on behind it.
  package enum Effect: Hashable, Sendable {
    /// To the control point, with response.
    case writeControl([UInt8])
    /// To the packet characteristic, without response.
    case writePacket([UInt8])
    /// Until the next event; `timedOut` when none comes. It replaces an earlier one, which goes on where an event
    /// has no effects.
    case wait(atMost: Duration)
    /// The board has the image, says it is valid, and left the bootloader. Only its new version proves it.
    case done
    /// The board was asked to leave its bootloader with nothing changed.
    case aborted
    /// It is over; the board was asked to reset where a link was left.
    case failed(BootloaderFailure)
  }

  private enum Phase: Hashable, Sendable {
    case waiting, starting, describing, sending, validating, activating, over
    /// Because of this; nil: aborted.
    case resetting(BootloaderFailure?)
  }

  private let image: FirmwareImage
  /// Packets that may be on the way.
  package let window: Int
  private var phase = Phase.waiting
  /// When the step is to end.
  private var deadline = Duration.zero
  /// When the first packet of the image was sent.
  private var began: Duration?
  private var sent = 0
  /// Bytes of the image of which the bootloader said that it has them.
  package private(set) var confirmed = 0
  private var count = ReceiptCount()
  /// Whether the bootloader was asked what it has, and did not answer yet.
  private var isCounting = false

  /// `window`: packets on the way at most, of `TransferLimits.windows`.
  package init(_ image: FirmwareImage, window: Int) {
    (self.image, self.window) = (image, min(max(window, 1), Int(UInt16.max)))
  }

  /// Whether the board still has what it had, so that `abort` leaves it as it was.
  package var mayAbort: Bool { phase == .waiting }

  /// How long the rest of the image will take at the rate so far; nil as long as that is not known.
  package func remaining(at now: Duration) -> Duration? {
    guard let began, confirmed > 0, now > began else { return nil }
    return (now - began) * (Double(image.bytes.count - confirmed) / Double(confirmed))
  }

  /// What follows from `event` at `now`.
  package mutating func next(_ event: Event, at now: Duration) -> [Effect] {
    switch (event, phase) {
    case (_, .over): []
    case (.ready, .waiting): start(at: now)
    case (.abort, .waiting): reset(nil, at: now)
    case (.ready, _), (.abort, _): []
    case (.linkEnded, _): linkEnded()
    case (.writeFailed, .activating), (.writeFailed, .resetting): []
    case (.writeFailed, _): reset(.notWritten(request), at: now)
    case (.timedOut, _): now < deadline ? [] : timedOut(at: now)
    case (.received(let bytes), _): BootloaderAnswer(bytes).map { received($0, at: now) } ?? []
    }
  }

  /// What the phase waits for.
  private var request: BootloaderRequest.Code {
    switch phase {
    case .waiting, .starting: .start
    case .describing: .initPacket
    case .sending: .sendImage
    case .validating: .validate
    case .activating: .activate
    case .resetting, .over: .reset
    }
  }

  // The way there.

  private mutating func start(at now: Duration) -> [Effect] {
    enter(.starting, TransferLimits.start, at: now, [control(.start(image.kind)), .writePacket(image.sizes)])
  }

  private mutating func describe(at now: Duration) -> [Effect] {
    enter(
      .describing, TransferLimits.initPacket, at: now,
      [control(.beginInit)] + FirmwareImage.packets(of: image.initPacket).map { .writePacket($0) }
        + [control(.endInit)])
  }

  private mutating func sendImage(at now: Duration) -> [Effect] {
    phase = .sending
    began = now
    return [control(.receipts(every: UInt16(window))), control(.sendImage)] + sendWindow(at: now)
  }

  private mutating func sendWindow(at now: Duration) -> [Effect] {
    let packets = FirmwareImage.packets(of: image.bytes, from: sent, atMost: window)
    sent += packets.reduce(0) { $0 + $1.count }
    return waitForReceipt(at: now, behind: packets.map { .writePacket($0) })
  }

  private mutating func waitForReceipt(at now: Duration, behind effects: [Effect]) -> [Effect] {
    let limit = min(TransferLimits.receipt, imageDeadline(at: now) - now)
    guard limit > .zero else { return reset(.tooSlow, at: now) }
    return enter(.sending, limit, at: now, effects)
  }

  private func imageDeadline(at now: Duration) -> Duration {
    (began ?? now) + TransferLimits.image(image.bytes.count)
  }

  private mutating func validate(at now: Duration) -> [Effect] {
    confirmed = image.bytes.count
    return enter(.validating, TransferLimits.validation, at: now, [control(.validate)])
  }

  private mutating func enter(
    _ phase: Phase, _ limit: Duration, at now: Duration, _ effects: [Effect]
  ) -> [Effect] {
    self.phase = phase
    deadline = now + limit
    return effects + [.wait(atMost: limit)]
  }

  private func control(_ request: BootloaderRequest) -> Effect { .writeControl(request.bytes) }

  // What the bootloader says.

  private mutating func received(_ answer: BootloaderAnswer, at now: Duration) -> [Effect] {
    if case .resetting = phase { return [] }
    return switch answer {
    case .response(let code?, .success) where code == request: succeeded(at: now)
    case .response(_, .success), .response(nil, _): []
    // It answers what it never does: it would not have been asked by us.
    case .response(let code?, let status): phase == .waiting ? [] : reset(.refused(code, status), at: now)
    case .receipt(let bytes): phase == .sending ? counted(Int(bytes), isAnswer: false, at: now) : []
    case .counted(let bytes):
      phase == .sending && isCounting ? counted(Int(bytes), isAnswer: true, at: now) : []
    }
  }

  private mutating func succeeded(at now: Duration) -> [Effect] {
    switch phase {
    case .starting: describe(at: now)
    case .describing: sendImage(at: now)
    case .sending where sent < image.bytes.count:
      reset(.miscounted(sent: sent, received: image.bytes.count), at: now)
    case .sending: validate(at: now)
    case .validating:
      enter(.activating, TransferLimits.drop, at: now, [control(.activate)])
    case .waiting, .activating, .resetting, .over: []
    }
  }

  private mutating func counted(_ bytes: Int, isAnswer: Bool, at now: Duration) -> [Effect] {
    switch count.judge(bytes, sent: sent, confirmed: confirmed) {
    case .whole:
      // An answer that is still to come counts less than what is sent by then.
      (confirmed, isCounting) = (sent, false)
      if sent < image.bytes.count { return sendWindow(at: now) }
      // It did not say that it has all of the image, and has it: its check of the image tells.
      return isAnswer ? validate(at: now) : []
    case .old where !isAnswer: return []
    case .old(let received), .other(let received):
      return isAnswer ? reset(.miscounted(sent: sent, received: received), at: now) : askForCount(at: now)
    }
  }

  private mutating func askForCount(at now: Duration) -> [Effect] {
    guard !isCounting else { return [] }
    isCounting = true
    return waitForReceipt(at: now, behind: [control(.countBytes)])
  }

  // The ways out.

  private mutating func timedOut(at now: Duration) -> [Effect] {
    switch phase {
    case .sending where now >= imageDeadline(at: now): return reset(.tooSlow, at: now)
    case .sending where !isCounting: return askForCount(at: now)
    case .activating: return reset(.notActivated, at: now)
    case .resetting(let failure): return finish(failure)
    case .waiting, .over: return []
    case .starting, .describing, .sending, .validating: return reset(.silent(request), at: now)
    }
  }

  private mutating func linkEnded() -> [Effect] {
    switch phase {
    case .activating:
      phase = .over
      return [.done]
    case .resetting(let failure): return finish(failure)
    default: return finish(.linkEnded(request))
    }
  }

  private mutating func reset(_ failure: BootloaderFailure?, at now: Duration) -> [Effect] {
    enter(.resetting(failure), TransferLimits.drop, at: now, [control(.reset)])
  }

  private mutating func finish(_ failure: BootloaderFailure?) -> [Effect] {
    phase = .over
    return [failure.map { .failed($0) } ?? .aborted]
  }
}
