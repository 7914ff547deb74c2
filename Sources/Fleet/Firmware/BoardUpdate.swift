import BoardKit
import FleetModel

/// A board's way through its bootloader. Pure: what happened comes in with the uptime, what is to be done comes out.
///
///     fetching ──▶ entering ──▶ sending ──▶ verifying ──▶ proving ──▶ over
///                     ▲            ▲            │
///                  jump again      └── again ───┘  too often: rescuing, which sends again later and later
///
/// Where the board is decides what is next, also in a later run of the gateway: in its bootloader it is sent the image,
/// from the start; in an application its version says how it ended. Until the transfer of an image is announced the
/// board has what it had; from then on it counts as without an application until one answers.
struct BoardUpdate: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// Nothing was written to the board.
    case fetching
    /// It was told to restart in its bootloader.
    case entering
    case sending
    /// It was told to start what was sent.
    case verifying
    /// An application of the wanted version answers and is being set up.
    case proving
    case rescuing
  }

  /// What happened.
  enum Event: Hashable, Sendable {
    /// The gates were passed; this is to be installed.
    case found(UpdateTarget)
    /// Its application is about to be told to enter the bootloader.
    case jumping
    /// It is there already.
    case inBootloader
    /// An application answered, and said its version.
    case application(String)
    /// That application was set up as the profile says.
    case applied
    /// A bootloader answered. `needed`: how many bootloaders have to be installed before, or why nothing can be.
    case bootloader(BootloaderDescription, needed: Result<Int, CommandFailure>)
    /// An image is about to be announced: the point of no return.
    case beginning
    case broke(TransferFailure)
    /// The board left with what it was sent.
    case activated(isApplication: Bool)
    /// The bootloader could not be visited, for so long.
    case postponed(Duration, because: String)
    /// Its time is over.
    case expired
    case abort
  }

  /// What is to be done, in this order.
  enum Effect: Hashable, Sendable {
    /// It is written to disk.
    case keep
    /// It is over, on disk, too.
    case forget
    case publish(EventDraft)
    /// Whoever gave the command hears the end of it.
    case answer(CommandOutcome)
    /// Whoever gave the command tells the application once more to enter its bootloader.
    case jump
    /// Over the link that is there, with so many packets on the way.
    case send(window: Int)
    /// Over the link that is there: the board restarts.
    case leave
  }

  private(set) var target: UpdateTarget
  private(set) var phase = Phase.fetching
  private(set) var counts = UpdateCounts()
  /// Whether an image was announced, and no application answered since.
  private(set) var isBegun = false
  /// Whether nobody waits for the end: the command was answered, or its gateway was restarted.
  private(set) var isAnswered = false
  private(set) var isAborted = false
  /// Of the bootloader, as it was last read.
  private(set) var bootloaderVersion: String?
  /// Why the last attempt failed.
  private(set) var trouble: String?
  /// Where a bootloader advertises that may be the board's.
  private(set) var place: BoardID?
  /// Addresses at which another board answered.
  private var others: Set<BoardID> = []
  /// When it counts as lost, and before when its bootloader is not visited.
  private var deadline: Duration?
  private var notBefore = Duration.zero
  private var pace = TransferPace()
  private let limits: UpdateLimits
  private let began: Duration

  /// `isBegun`: an earlier update has left the board without an application.
  init(_ target: UpdateTarget, isBegun: Bool = false, limits: UpdateLimits = UpdateLimits(), at now: Duration)
  {
    (self.target, self.isBegun, self.limits, began) = (target, isBegun, limits, now)
  }

  // What is known.

  /// The address of a bootloader that is to be visited now.
  func visit(at now: Duration) -> BoardID? { phase == .fetching || now < notBefore ? nil : place }

  /// When something changes by itself; nil: not before something happens.
  func due(after now: Duration) -> Duration? {
    [deadline, place != nil && notBefore > now ? notBefore : nil].compactMap { $0 }.min()
  }

  func isExpired(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Whether the next thing that is heard of the board tells where it is: what was known before counts no more.
  var awaitsBoard: Bool { phase != .fetching && phase != .proving }

  /// Whether a board that is there as an application is to be asked for its version.
  var wantsApplication: Bool { phase != .fetching }

  /// What is published of it.
  var progress: FirmwareReport.Progress {
    let stage: FirmwareReport.Progress.Stage =
      switch phase {
      case .fetching: .fetching
      case .entering: .enteringBootloader
      case .sending: .sending
      case .verifying, .proving: .verifying
      case .rescuing: .rescuing
      }
    var progress = FirmwareReport.Progress(stage)
    progress.attempt = counts.transfers == 0 ? nil : counts.transfers
    progress.sum = target.sum.isEmpty ? nil : target.sum
    (progress.bootloader, progress.trouble) = (bootloaderVersion, trouble)
    if phase == .sending { (progress.percent, progress.expected) = (pace.percent, pace.expected) }
    return progress
  }

  // What happens.

  /// A bootloader advertises at `address`, which may be the board's. Returns whether it is to be visited.
  mutating func heard(at address: BoardID) -> Bool {
    guard phase != .fetching, !others.contains(address) else { return false }
    place = address
    return true
  }

  /// So much of the image has arrived. Returns whether that is to be published.
  mutating func transferred(_ progress: TransferProgress, at uptime: Duration, now: Timestamp) -> Bool {
    pace.take(progress, at: uptime, now: now)
  }

  /// The link is gone, and with it all that was known of where the board is.
  mutating func lostSight() { place = nil }

  /// What follows from `event` at `now`.
  mutating func take(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .found(let found): return take(found)
    case .jumping:
      (phase, counts.jumps) = (.entering, counts.jumps + 1)
      awaitBoard(at: now)
      return target.goal == .install ? [.keep] : []
    case .inBootloader:
      phase = .entering
      awaitBoard(at: now)
      return target.goal == .install ? [.keep] : []
    case .application(let version): return isApplication(version, at: now)
    case .applied: return phase == .proving ? done(at: now) : []
    case .bootloader(let found, let needed): return isBootloader(found, needed, at: now)
    case .beginning: return begin()
    case .broke(let failure): return broke(failure, at: now)
    case .activated(let isApplication):
      phase = isApplication ? .verifying : .sending
      if !isApplication { counts.attempts = 0 }
      awaitBoard(at: now)
      return [.keep]
    case .postponed(let pause, let reason):
      (trouble, notBefore) = (reason, now + pause)
      // It is there, and left alone for our own sake.
      if pause > UpdateLimits.shortAbsence, deadline != nil { deadline = notBefore + UpdateLimits.absence }
      return []
    case .expired: return expire()
    case .abort:
      if !isBegun { isAborted = true }
      return []
    }
  }

  private mutating func take(_ found: UpdateTarget) -> [Effect] {
    target = found
    return []
  }

  private mutating func awaitBoard(at now: Duration) {
    deadline = now + (target.goal == .install ? UpdateLimits.absence : UpdateLimits.shortAbsence)
    (place, others) = (nil, [])
  }

  private mutating func begin() -> [Effect] {
    (isBegun, phase) = (true, .sending)
    counts.attempts += 1
    counts.transfers += 1
    (deadline, pace) = (nil, TransferPace())
    return [.keep] + (counts.transfers == 1 ? [.publish(draft("started"))] : [])
  }

  // Where it is.

  private mutating func isApplication(_ version: String, at now: Duration) -> [Effect] {
    place = nil
    if phase != .proving { deadline = nil }
    switch target.goal {
    case .leave: return end(.done(evidence: .readback, data: ["installed_version": .string(version)]))
    case .look: return jumpOrEnd()
    case .install: break
    }
    if phase == .fetching || phase == .proving { return [] }
    guard isBegun else { return isAborted || isAnswered ? fail(Self.aborted) : jumpOrEnd() }
    guard version == target.version else {
      return fail(
        CommandFailure(
          .boardError,
          "the board runs firmware \(version) after the update and not \(target.version): \(trouble ?? "it did not keep what was sent"); try again"
        ))
    }
    (phase, deadline) = (.proving, now + UpdateLimits.absence)
    return [.keep]
  }

  private mutating func jumpOrEnd() -> [Effect] {
    if counts.jumps < UpdateLimits.jumps { return [.jump] }
    return fail(
      CommandFailure(
        .boardError,
        "the board was told \(counts.jumps) times to enter its bootloader, and is back in its application; nothing was installed"
      ))
  }

  private mutating func isBootloader(
    _ found: BootloaderDescription, _ needed: Result<Int, CommandFailure>, at now: Duration
  ) -> [Effect] {
    guard target.means(found) else {
      if let place { others.insert(place) }
      place = nil
      trouble = "another board answers in its bootloader, with serial number \(found.serialNumber)"
      return []
    }
    bootloaderVersion = found.version
    switch target.goal {
    case .look: return end(.done(evidence: .response, data: ["bootloader_version": .string(found.version)]))
    case .leave:
      awaitBoard(at: now)
      return [.leave]
    case .install: break
    }
    if isAborted, !isBegun { return [.leave] + fail(Self.aborted) }
    if phase == .verifying {
      trouble = "the board came back in its bootloader, although what was sent was valid"
      if counts.attempts >= limits.attempts { return stay(failure, at: now) }
    }
    switch needed {
    case .failure(let failure): return isBegun ? stay(failure, at: now) : [.leave] + fail(failure)
    case .success(let count) where count > 0 && !target.allowsBootloader:
      let failure = CommandFailure(
        .unsupported,
        "firmware \(target.version) needs a newer bootloader than \(found.version); allow_bootloader=true installs that, too",
        data: ["bootloader_version": .string(found.version)])
      return isBegun ? stay(failure, at: now) : [.leave] + fail(failure)
    case .success: return [.send(window: window)]
    }
  }

  private var window: Int { limits.windows[min(counts.slower, limits.windows.count - 1)] }

  private mutating func broke(_ failure: TransferFailure, at now: Duration) -> [Effect] {
    trouble = failure.message
    switch failure.kind {
    case .slower: counts.slower += 1
    case .leftOver where counts.leftOver < limits.attempts:
      counts.leftOver += 1
      counts.attempts -= 1
    case .again, .leftOver, .refused: break
    }
    if failure.kind == .refused || counts.attempts >= limits.attempts { return stay(self.failure, at: now) }
    awaitBoard(at: now)
    notBefore = now + UpdateLimits.pause
    return [.keep]
  }

  /// The board was not heard for long, in neither shape.
  private mutating func expire() -> [Effect] {
    deadline = nil
    let message = "the board was not heard again, neither with an application nor in its bootloader"
    guard target.goal == .install else { return end(.unknown(message: message)) }
    // It may restart again and again.
    if phase == .proving {
      return fail(
        CommandFailure(
          .boardError,
          "the board runs firmware \(target.version), and could not be set up with it for \(DurationText.format(UpdateLimits.absence)); see its events, and try another version"
        ))
    }
    (phase, trouble) = (.rescuing, message)
    return [.keep, .publish(draft("failed", message: message))]
      + answer(
        .unknown(
          message: "\(message); as soon as it is, the gateway goes on: charge it, and press its button"))
  }

  // Ends.

  private var failure: CommandFailure {
    CommandFailure(
      .boardError,
      "the board is in its bootloader, without an application: \(trouble ?? "nothing is known"); the gateway tries again later",
      data: data)
  }

  private var data: JSONObject {
    var data: JSONObject = ["attempts": .integer(Int64(counts.transfers))]
    data["bootloader_version"] = bootloaderVersion.map { .string($0) }
    return data
  }

  static let aborted = CommandFailure(
    .expired, "the update was aborted before anything was sent; the board has the firmware that it had")

  /// It stays in its bootloader and is sent the image again later.
  private mutating func stay(_ failure: CommandFailure, at now: Duration) -> [Effect] {
    (phase, deadline) = (.rescuing, nil)
    (counts.attempts, counts.leftOver) = (0, 0)
    notBefore = now + UpdateLimits.rescues[min(counts.rows, UpdateLimits.rescues.count - 1)]
    counts.rows += 1
    trouble = failure.message
    let event = counts.rows == 1 ? [Effect.publish(draft("bootloader", message: failure.message))] : []
    return [.keep] + event + answer(.failed(failure))
  }

  private mutating func done(at now: Duration) -> [Effect] {
    trouble = nil
    var data = data
    data["from"] = .string(target.before ?? "")
    data["to"] = .string(target.version)
    data["seconds"] = .integer(Int64((now - began).inSeconds.rounded()))
    let type = counts.rows > 0 || target.before == nil ? "rescued" : "updated"
    return [.forget, .publish(draft(type, installed: target.version))]
      + answer(.done(evidence: .readback, data: data))
  }

  private mutating func fail(_ failure: CommandFailure) -> [Effect] {
    trouble = failure.message
    let event = target.goal == .install ? [Effect.publish(draft("failed", message: failure.message))] : []
    return [.forget] + event + answer(.failed(failure))
  }

  private mutating func end(_ outcome: CommandOutcome) -> [Effect] { [.forget] + answer(outcome) }

  private mutating func answer(_ outcome: CommandOutcome) -> [Effect] {
    guard !isAnswered else { return [] }
    isAnswered = true
    return [.answer(outcome)]
  }

  /// What is told; `installed` is what the board has by then, where that is not what it had before.
  private func draft(_ type: String, installed: String? = nil, message: String? = nil) -> EventDraft {
    var fields = JSONObject()
    fields["installed_version"] = (installed ?? target.before).map { .string($0) }
    fields["latest_version"] = .string(target.version)
    fields["image_sha256"] = .string(target.sum)
    fields["bootloader_version"] = bootloaderVersion.map { .string($0) }
    fields["attempts"] = .integer(Int64(counts.transfers))
    return EventDraft(.firmware, type, fields: fields, message: message)
  }
}

/// What outlives the process.
extension BoardUpdate {
  /// Goes on with what `document` wrote; nil where it cannot be read any more.
  init?(document: JSONObject, limits: UpdateLimits = UpdateLimits(), at now: Duration) {
    guard let target = UpdateTarget(document: document) else { return nil }
    self.init(target, limits: limits, at: now)
    counts.transfers = document["attempts"]?.integer.map(Int.init(clamping:)) ?? 0
    counts.rows = document["rows"]?.integer.map(Int.init(clamping:)) ?? 0
    isBegun = document["begun"]?.bool ?? true
    bootloaderVersion = document["bootloader_version"]?.string
    trouble = document["trouble"]?.string
    isAnswered = true
    phase = isBegun ? (document["verifying"]?.bool == true ? .verifying : .rescuing) : .entering
    deadline = now + UpdateLimits.absence
  }

  /// Its facts; where the board is by then is seen then.
  var document: JSONObject {
    var document = target.document
    document["attempts"] = .integer(Int64(counts.transfers))
    document["rows"] = .integer(Int64(counts.rows))
    document["begun"] = .bool(isBegun)
    document["verifying"] = .bool(phase == .verifying || phase == .proving)
    document["bootloader_version"] = bootloaderVersion.map { .string($0) }
    document["trouble"] = trouble.map { .string($0) }
    return document
  }
}
