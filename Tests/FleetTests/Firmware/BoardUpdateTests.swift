import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct BoardUpdateTests {
  private static let recipient = FirmwareRecipient(
    modelNumber: "5", hardwareRevision: "0.4", build: "vanilla")
  static let target = UpdateTarget(
    version: "1.7.3", sum: "ab", before: "1.7.2", serial: "S1", recipient: recipient)
  private static let place = BoardID.number(1)

  private static func bootloader(_ serial: String = "S1", _ version: String = "0.5") -> BootloaderDescription
  {
    BootloaderDescription(
      serialNumber: serial, modelNumber: "5", hardwareRevision: "0.4", version: version)
  }

  /// An update whose board was just told to enter its bootloader.
  private static func entering() -> BoardUpdate {
    var update = BoardUpdate(UpdateTarget(), at: .zero)
    _ = update.take(.found(target), at: .zero)
    _ = update.take(.jumping, at: .zero)
    return update
  }

  /// Takes events a second apart. Returns what followed from the last one.
  @discardableResult
  private static func take(
    _ events: [BoardUpdate.Event], _ update: inout BoardUpdate, from start: Duration = .seconds(1)
  ) -> [BoardUpdate.Effect] {
    var (effects, time): ([BoardUpdate.Effect], Duration) = ([], start)
    for event in events {
      if case .bootloader = event { _ = update.heard(at: place) }
      effects = update.take(event, at: time)
      time += .seconds(1)
    }
    return effects
  }

  private static func found(_ serial: String = "S1", needed: Int = 0) -> BoardUpdate.Event {
    .bootloader(bootloader(serial), needed: .success(needed))
  }

  /// The events that are published, and answers by their words.
  private static func words(_ effects: [BoardUpdate.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .keep: "keep"
      case .forget: "forget"
      case .publish(let draft): draft.type
      case .answer(.done): "done"
      case .answer(.failed(let failure)): failure.code.rawValue
      case .answer(.unknown): "unknown"
      case .jump: "jump"
      case .send(let window): "send \(window)"
      case .leave: "leave"
      }
    }
  }

  @Test func `F53 done is what says the wanted version as an application, once its profile is applied`() {
    var update = Self.entering()
    #expect(Self.words(Self.take([Self.found()], &update)) == ["send 10"])
    #expect(Self.words(Self.take([.beginning], &update)) == ["keep", "started"])
    #expect(Self.words(Self.take([.activated(isApplication: true)], &update)) == ["keep"])
    #expect(update.progress.stage == .verifying)
    #expect(Self.words(Self.take([.application("1.7.3")], &update)) == ["keep"])
    let effects = Self.take([.applied], &update, from: .seconds(74))
    #expect(Self.words(effects) == ["forget", "updated", "done"])
    let data: JSONObject = [
      "attempts": 1, "bootloader_version": "0.5", "from": "1.7.2", "to": "1.7.3", "seconds": 74,
    ]
    #expect(effects.last == .answer(.done(evidence: .readback, data: data)))
  }

  @Test func `F53 another version behind the transfer is a failure, and no rescue is needed`() {
    var update = Self.entering()
    let effects = Self.take(
      [Self.found(), .beginning, .activated(isApplication: true), .application("1.7.2")], &update)
    #expect(Self.words(effects) == ["forget", "failed", "board-error"])
  }

  @Test func `F52 an application that answers before anything was sent is told again, three times in all`() {
    var update = Self.entering()
    #expect(Self.take([.application("1.7.2")], &update) == [.jump])
    #expect(Self.take([.jumping, .application("1.7.2")], &update) == [.jump])
    let effects = Self.take([.jumping, .application("1.7.2")], &update)
    #expect(Self.words(effects) == ["forget", "failed", "board-error"])
  }

  @Test func `F52 a transfer that breaks off is made anew, three times in all, and then later`() {
    var update = Self.entering()
    let broken = BoardUpdate.Event.broke(TransferFailure(.again, "the link ended"))
    for _ in 1...2 {
      #expect(Self.words(Self.take([Self.found(), .beginning, broken], &update)) == ["keep"])
    }
    let effects = Self.take([Self.found(), .beginning, broken], &update, from: .seconds(100))
    #expect(Self.words(effects) == ["keep", "bootloader", "board-error"])
    #expect(update.progress.stage == .rescuing)
    // The bootloader is heard all the time, and is left alone until it is time.
    #expect(update.heard(at: Self.place) && update.visit(at: .seconds(600)) == nil)
    #expect(update.due(after: .seconds(103)) == .seconds(702))
    #expect(update.visit(at: .seconds(702)) == Self.place)
    // Nobody hears a second end of the command.
    for _ in 1...2 { Self.take([Self.found(), .beginning, broken], &update, from: .seconds(702)) }
    let later = Self.take([Self.found(), .beginning, broken], &update, from: .seconds(800))
    #expect(Self.words(later) == ["keep"])
    #expect(update.heard(at: Self.place) && update.due(after: .seconds(803)) == .seconds(4_402))
  }

  @Test func `F52 who is rescued later is told by an event`() {
    var update = Self.entering()
    Self.take([Self.found(), .beginning, .broke(TransferFailure(.refused, "no"))], &update)
    let effects = Self.take(
      [Self.found(), .beginning, .activated(isApplication: true), .application("1.7.3"), .applied], &update,
      from: .seconds(700))
    #expect(Self.words(effects) == ["forget", "rescued"])
  }

  @Test func `F271 nothing is written to a board with another serial number, or of another kind`() {
    var update = Self.entering()
    #expect(Self.take([Self.found("S2")], &update).isEmpty)
    #expect(update.visit(at: .seconds(9)) == nil && !update.heard(at: Self.place))
    let next = BoardID.number(2)
    #expect(update.heard(at: next) && update.visit(at: .seconds(9)) == next)
    var other = Self.bootloader()
    other.hardwareRevision = "0.1"
    #expect(update.take(.bootloader(other, needed: .success(0)), at: .seconds(9)).isEmpty)
    #expect(!update.isBegun)
  }

  @Test func `F272 an abort counts before the transfer, and has the bootloader restarted`() {
    var update = Self.entering()
    #expect(Self.take([.abort], &update).isEmpty)
    let effects = Self.take([Self.found()], &update)
    #expect(Self.words(effects) == ["leave", "forget", "failed", "expired"])
    var begun = Self.entering()
    Self.take([Self.found(), .beginning, .abort], &begun)
    #expect(!begun.isAborted)
  }

  @Test func `F272 an application that is there behind an abort ends it`() {
    var update = Self.entering()
    let effects = Self.take([.abort, .application("1.7.2")], &update)
    #expect(Self.words(effects) == ["forget", "failed", "expired"])
  }

  @Test func `D11 a bootloader that is too old is left as it was, unless it may be replaced`() {
    var update = Self.entering()
    #expect(
      Self.words(Self.take([Self.found(needed: 2)], &update)) == ["leave", "forget", "failed", "unsupported"])
    var target = Self.target
    target.allowsBootloader = true
    var allowed = BoardUpdate(target, at: .zero)
    Self.take([.jumping], &allowed)
    #expect(Self.words(Self.take([Self.found(needed: 2)], &allowed)) == ["send 10"])
    Self.take([.beginning, .activated(isApplication: false)], &allowed)
    #expect(allowed.progress.stage == .sending && allowed.counts.attempts == 0)
    #expect(Self.words(Self.take([Self.found(needed: 1)], &allowed)) == ["send 10"])
  }

  @Test func `D11 what no chain of bootloaders leads to is refused before anything is sent`() {
    var update = Self.entering()
    let failure = CommandFailure(.unsupported, "there is no way")
    let effects = Self.take([.bootloader(Self.bootloader(), needed: .failure(failure))], &update)
    #expect(Self.words(effects) == ["leave", "forget", "failed", "unsupported"])
    #expect(effects.last == .answer(.failed(failure)))
  }

  @Test func `F282 D05 a board that cannot follow gets fewer packets at a time`() {
    var update = Self.entering()
    let slower = BoardUpdate.Event.broke(TransferFailure(.slower, "too fast"))
    var windows: [String] = []
    for _ in 1...3 {
      windows += Self.words(Self.take([Self.found()], &update))
      Self.take([.beginning, slower], &update)
    }
    #expect(windows == ["send 10", "send 4", "send 1"])
  }

  @Test func `F282 D03 D13 what the board will refuse again is not tried again at once`() {
    var update = Self.entering()
    let refused = BoardUpdate.Event.broke(TransferFailure(.refused, "its size is wrong"))
    let effects = Self.take([Self.found(), .beginning, refused], &update)
    #expect(Self.words(effects) == ["keep", "bootloader", "board-error"])
    #expect(update.progress.stage == .rescuing && update.visit(at: .seconds(100)) == nil)
  }

  @Test func `as many packets are on the way at first as the file says, and fewer of the family's then`() {
    #expect(UpdateLimits(attempts: 3, receipts: 10, windows: [10, 4, 1]) == UpdateLimits())
    #expect(UpdateLimits(attempts: 1, receipts: 6, windows: [10, 4, 1]).windows == [6, 4, 1])
    #expect(UpdateLimits(attempts: 1, receipts: 1, windows: [10, 4, 1]).windows == [1])
  }

  @Test func `a bootloader that is still in an earlier transfer costs no attempt, but not for ever`() {
    var update = Self.entering()
    let open = BoardUpdate.Event.broke(TransferFailure(.leftOver, "still in an earlier transfer"))
    for _ in 1...3 { Self.take([Self.found(), .beginning, open], &update) }
    #expect(update.counts.attempts == 0 && update.progress.stage == .sending)
    for _ in 1...3 { Self.take([Self.found(), .beginning, open], &update) }
    #expect(update.progress.stage == .rescuing)
  }

  @Test func `D17 a board that comes back in its bootloader gets the image again, three times in all`() {
    var update = Self.entering()
    for _ in 1...2 {
      Self.take([Self.found(), .beginning, .activated(isApplication: true)], &update)
    }
    #expect(Self.words(Self.take([Self.found()], &update)) == ["send 10"])
    Self.take([.beginning, .activated(isApplication: true)], &update)
    #expect(Self.words(Self.take([Self.found()], &update)) == ["keep", "bootloader", "board-error"])
  }

  @Test func `F53 D17 an application that answers and cannot be set up is a failure after ten minutes`() {
    var update = Self.entering()
    Self.take([Self.found(), .beginning, .activated(isApplication: true), .application("1.7.3")], &update)
    // It restarts again and again.
    Self.take([.application("1.7.3")], &update, from: .seconds(500))
    let due = update.due(after: .seconds(501))
    #expect(due.map { update.isExpired(at: $0) && $0 < .seconds(700) } == true)
    let effects = Self.take([.expired], &update, from: .seconds(700))
    #expect(Self.words(effects) == ["forget", "failed", "board-error"])
  }

  @Test func `D10 a board in neither shape is unknown after ten minutes, and looked for on`() {
    var update = Self.entering()
    #expect(!update.isExpired(at: .seconds(599)) && update.isExpired(at: .seconds(600)))
    let effects = Self.take([.expired], &update, from: .seconds(600))
    #expect(Self.words(effects) == ["keep", "failed", "unknown"])
    #expect(update.due(after: .seconds(601)) == nil)
    #expect(Self.words(Self.take([Self.found()], &update, from: .seconds(9_000))) == ["send 10"])
  }

  @Test func `F273 a restart goes on by where the board is: its bootloader is sent the image`() throws {
    var update = Self.entering()
    Self.take([Self.found(), .beginning], &update)
    var later = try #require(BoardUpdate(document: update.document, at: .zero))
    #expect(later.isBegun && later.isAnswered && later.progress.stage == .rescuing)
    #expect(Self.words(Self.take([Self.found()], &later)) == ["send 10"])
    Self.take([.beginning, .activated(isApplication: true)], &later)
    var last = try #require(BoardUpdate(document: later.document, at: .zero))
    #expect(last.progress.stage == .verifying && last.counts.transfers == 2)
    #expect(Self.words(Self.take([.application("1.7.3"), .applied], &last)) == ["forget", "updated"])
  }

  @Test func `F273 a restart before anything was sent leaves an application alone`() throws {
    var update = try #require(BoardUpdate(document: Self.entering().document, at: .zero))
    #expect(!update.isBegun && update.progress.stage == .enteringBootloader)
    #expect(Self.words(Self.take([.application("1.7.2")], &update)) == ["forget", "failed"])
    var jumped = try #require(BoardUpdate(document: Self.entering().document, at: .zero))
    #expect(Self.words(Self.take([Self.found()], &jumped)) == ["send 10"])
  }

  @Test(arguments: ["{}", #"{"version": 5, "image_sha256": "ab"}"#, #"{"version": "1.7.3"}"#])
  func `what cannot be read any more is no update`(text: String) throws {
    let document = try #require(try StrictJSON.parse(Array(text.utf8)).object)
    #expect(BoardUpdate(document: document, at: .zero) == nil)
  }

  @Test func `what is kept of a target is read again`() {
    var target = Self.target
    (target.file, target.allowsBootloader) = ("mms.zip", true)
    #expect(UpdateTarget(document: target.document) == target)
  }

  @Test func `a board that is only looked at stays in its bootloader, and says which one it is`() {
    var update = BoardUpdate(UpdateTarget(goal: .look), at: .zero)
    #expect(Self.take([.jumping], &update).isEmpty)
    let effects = Self.take([Self.found()], &update)
    #expect(
      effects == [
        .forget, .answer(.done(evidence: .response, data: ["bootloader_version": "0.5"])),
      ])
  }

  @Test func `a board that is to leave its bootloader has left when its application answers`() {
    var update = BoardUpdate(UpdateTarget(goal: .leave), at: .zero)
    Self.take([.inBootloader], &update)
    #expect(Self.words(Self.take([Self.found()], &update)) == ["leave"])
    #expect(Self.words(Self.take([.application("1.7.2")], &update)) == ["forget", "done"])
  }

  @Test func `firmware that cannot be had is looked for later`() {
    var update = Self.entering()
    _ = update.heard(at: Self.place)
    Self.take([.postponed(.seconds(600), because: "the server is away")], &update)
    #expect(update.visit(at: .seconds(600)) == nil && update.visit(at: .seconds(601)) == Self.place)
    #expect(update.progress.trouble == "the server is away")
  }
}
