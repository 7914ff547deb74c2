import BoardKit
import Testing

@testable import MetaMotion

/// Reading a log out, whichever way boards answer what no source tells (protocol reference, section 41).
@Suite struct LogDownloadMachineTests {
  typealias Step = LogDownloadMachine.Step

  /// A machine, and what it wanted kept.
  private struct Rig {
    var machine: LogDownloadMachine
    var now = Duration.seconds(100)
    var isDiskFull = false
    /// So that no two packets are alike.
    private var number: UInt8 = 0
    private(set) var packet: [UInt8] = []
    /// What happened in order: `keep 3`, `keep 3 |` for the end of a page, `confirm`, `finished 6`.
    var log: [String] = []

    /// `earlier`: what the read-out before was in doubt about.
    init(
      _ announced: Int, pageSize: Int? = nil, earlier: LogPageCheck.Copy? = nil, mayErase: Bool = true
    ) {
      let tally = LogPageCheck(announced: announced, pageSize: pageSize, earlier: earlier)
      machine = LogDownloadMachine(tally, mayErase: mayErase, at: now)
    }

    mutating func entries(_ count: Int, of value: UInt8 = 7) {
      for start in stride(from: 0, to: count, by: 2) {
        let entry: [UInt8] = [value, value, value, number, UInt8(truncatingIfNeeded: start / 2), 0, 0, 0, 0]
        let packet: [UInt8] = [0x0B, 0x07] + (0..<min(2, count - start)).flatMap { _ in entry }
        self.packet = packet
        _ = machine.receivedEntries(packet.span.bytes)
      }
      number &+= 1
    }

    /// The latest packet once more.
    mutating func again() {
      let packet = packet
      _ = machine.receivedEntries(packet.span.bytes)
    }

    mutating func left(_ count: UInt32) {
      var packet: [UInt8] = [0x0B, 0x08]
      packet.append(number: count)
      _ = machine.receivedProgress(packet.span.bytes)
    }

    mutating func page() { machine.pageCompleted() }

    /// Does what there is to do until it waits or is over; how long it would wait.
    @discardableResult mutating func run() -> Duration? {
      while true {
        switch machine.step(at: now) {
        case .keep(let page):
          log.append(
            "keep \(page.entries.count / 9)"
              + (page.missing > 0 ? " of \(page.entries.count / 9 + page.missing)" : "")
              + (page.endsPage ? " |" : ""))
          machine.kept(!isDiskFull, at: now)
        case .confirmPage: log.append("confirm")
        case .wait(let limit): return limit
        case .finish(let readOut):
          log.append("\(readOut.end) \(readOut.entries)")
          return nil
        case .giveUp:
          log.append("broken")
          return nil
        }
      }
    }

    /// Lets time pass until it is over.
    mutating func end() {
      for _ in 0..<100 {
        guard let limit = run() else { return }
        now += limit
      }
      log.append("endless")
    }
  }

  @Test func `F33 a page is confirmed when all of it was kept, and once`() {
    var rig = Rig(3)
    rig.entries(3)
    rig.run()
    #expect(rig.log == [])
    rig.page()
    rig.left(0)
    rig.end()
    #expect(rig.log == ["keep 3 |", "confirm", "finished 3"])
  }

  @Test func `F33 while a page is being kept nothing is confirmed`() throws {
    var machine = LogDownloadMachine(LogPageCheck(announced: 4), at: .zero)
    _ = machine.receivedEntries(bytes("0b07" + String(repeating: "00", count: 18)).span.bytes)
    machine.pageCompleted()
    _ = machine.receivedProgress(bytes("0b0802000000").span.bytes)
    guard case .keep(let page) = machine.step(at: .zero) else {
      Issue.record("nothing was handed on")
      return
    }
    #expect(page.endsPage && page.entries.count == 18)
    let meanwhile = machine.step(at: .seconds(19))
    #expect(meanwhile == .wait(atMost: LogDownloadMachine.silence))
    machine.kept(true, at: .seconds(30))
    // The board was waiting for us: its silence begins now.
    let steps = [machine.step(at: .seconds(30)), machine.step(at: .seconds(30))]
    #expect(steps == [.confirmPage, .wait(atMost: LogDownloadMachine.silence)])
  }

  @Test func `F33 what could not be kept is not confirmed, nor anything behind it`() {
    var rig = Rig(6)
    rig.isDiskFull = true
    rig.entries(3)
    rig.page()
    rig.entries(3)
    rig.page()
    rig.end()
    #expect(rig.log == ["keep 3 |", "notKept 6"])
  }

  @Test func `F33 of a page in pieces all must be kept`() {
    var rig = Rig(600)
    rig.isDiskFull = true
    rig.entries(600)
    let step = rig.machine.step(at: rig.now)
    guard case .keep = step else {
      Issue.record("nothing was handed on")
      return
    }
    rig.machine.kept(false, at: rig.now)
    rig.isDiskFull = false
    rig.page()
    rig.end()
    #expect(rig.log == ["notKept 600"])
  }

  @Test func `F33 a packet that cannot be read keeps its page from being erased`() {
    var rig = Rig(3)
    rig.entries(2)
    _ = rig.machine.receivedEntries(bytes("0b07 a0 e642").span.bytes)
    rig.page()
    rig.left(0)
    rig.end()
    #expect(rig.log == ["keep 2", "doubtful 2"])
    #expect(rig.machine.tally.malformed == 1)
    // What cannot be read proves nothing, however often it comes.
    #expect(rig.machine.tally.doubt == nil)
  }

  @Test func `F33 boards that tell no pages are read in pieces`() {
    var rig = Rig(1025)
    for _ in 0..<205 {
      rig.entries(5)
      rig.run()
    }
    rig.left(0)
    rig.end()
    #expect(rig.log.last == "finished 1025")
    let pieces = rig.log.dropLast().compactMap { Int($0.dropFirst("keep ".count)) }
    #expect(pieces.reduce(0, +) == 1025)
    #expect(pieces.count == 3 && pieces.allSatisfy { $0 <= LogDownloadMachine.pieceLimit })
  }

  /// The end in every order, each told as letters: entries, page notice, progress 0.
  @Test(
    arguments: ["epz", "ezp", "zep", "pez", "zpe", "epzp", "eppz", "ezpp", "ez", "eepz", "epez", "ezep"])
  func `F34 entries, the last page notice and the last progress come in any order`(_ order: String) {
    let batches = order.count { $0 == "e" }
    var rig = Rig(2 * batches)
    for letter in order {
      switch letter {
      case "e": rig.entries(2)
      case "p": rig.page()
      default: rig.left(0)
      }
      rig.run()
      rig.now += .milliseconds(100)
    }
    rig.end()
    #expect(rig.log.last == "finished \(2 * batches)")
    #expect(rig.log.count { $0 == "confirm" } == order.count { $0 == "p" })
    let kept = rig.log.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    #expect(kept.dropLast().reduce(0, +) == 2 * batches)
    #expect(rig.now - .milliseconds(100 * (order.count - 1)) <= .seconds(102.5))
  }

  @Test func `F34 entries behind the last progress are waited for while they come, but not for ever`() {
    var rig = Rig(1000)
    rig.left(0)
    var waited = 0
    while rig.run() != nil, waited < 100 {
      rig.now += .milliseconds(250)
      rig.entries(1)
      waited += 1
    }
    #expect(rig.now - .seconds(100) <= LogDownloadMachine.trailing + .milliseconds(250))
    #expect(rig.log == ["keep \(waited)", "doubtful \(waited)"])
  }

  @Test func `F34 fewer than were announced is no silence`() {
    var rig = Rig(10)
    rig.entries(8)
    rig.page()
    rig.left(0)
    rig.end()
    #expect(rig.log == ["keep 8", "doubtful 8"])
    #expect(rig.now == .seconds(100) + LogDownloadMachine.quiet)
  }

  @Test func `F34 a board that sent all and does not say so is done`() {
    var rig = Rig(4)
    rig.entries(4)
    rig.page()
    rig.end()
    #expect(rig.log == ["keep 4 |", "confirm", "finished 4"])
    #expect(rig.now == .seconds(100) + LogDownloadMachine.trailing)
  }

  @Test func `F34 more than was announced is kept, too`() {
    var rig = Rig(4)
    rig.entries(6)
    rig.page()
    rig.left(0)
    rig.end()
    #expect(rig.log == ["keep 6 |", "confirm", "finished 6"])
  }

  @Test(
    arguments: [false, true])
  func `F155 packets that come twice are kept once, where the board's count tells`(isLater: Bool) {
    var rig = Rig(1_024)
    rig.entries(200)
    let packet = rig.packet
    rig.entries(isLater ? 6 : 2)
    _ = rig.machine.receivedEntries(packet.span.bytes)
    rig.entries(isLater ? 306 : 310)
    if !isLater { rig.again() }
    rig.page()
    rig.left(512)
    rig.run()
    rig.now += LogDownloadMachine.quiet
    rig.run()
    rig.entries(512)
    rig.again()
    rig.page()
    rig.left(0)
    var doubled = 0
    for _ in 0..<100 {
      let step = rig.machine.step(at: rig.now)
      if case .keep(let page) = step {
        rig.log.append("keep \(page.entries.count / 9)" + (page.endsPage ? " |" : ""))
        rig.machine.kept(true, at: rig.now)
      } else if case .wait(let limit) = step {
        rig.now += limit
      } else if case .finish(let readOut) = step {
        (doubled, _) = (readOut.doubled, rig.log.append("\(readOut.end) \(readOut.entries)"))
        break
      }
    }
    #expect(rig.log == ["keep 512 |", "confirm", "keep 512 |", "finished 1024"], "\(rig.log)")
    #expect(doubled == (isLater ? 4 : 6))
  }

  @Test func `F155 a packet that came twice in the place of one that was lost does not make a page whole`() {
    var rig = Rig(1_024)
    rig.entries(510)
    rig.again()
    rig.page()
    rig.left(512)
    rig.end()
    #expect(rig.log == ["keep 512", "doubtful 512"])
  }

  @Test func `F155 of a page that has to come again what came twice is kept once, too`() {
    var rig = Rig(1_024)
    rig.entries(510)
    rig.again()
    rig.entries(2)
    _ = rig.machine.receivedEntries(bytes("0b07 a0 e642").span.bytes)
    rig.page()
    rig.left(512)
    rig.end()
    #expect(rig.log == ["keep 512", "doubtful 512"])
  }

  @Test func `F35 after 20 s of silence it is given up, and what came is kept once, unconfirmed`() {
    var rig = Rig(10)
    rig.entries(3)
    rig.page()
    rig.left(7)
    rig.run()
    rig.entries(2)
    rig.end()
    #expect(rig.log == ["keep 3 |", "confirm", "keep 2", "silent 5"])
    #expect(rig.now == .seconds(100) + LogDownloadMachine.silence)
  }

  @Test func `F35 a board that says nothing at all is given up`() {
    var rig = Rig(10)
    rig.end()
    #expect(rig.log == ["silent 0"])
  }

  @Test func `F31 when the link breaks, what came is handed on once and nothing is confirmed`() {
    var rig = Rig(10)
    rig.entries(3)
    rig.left(7)
    rig.page()
    rig.run()
    rig.entries(2)
    rig.machine.linkEnded()
    rig.end()
    #expect(rig.log == ["keep 3 |", "confirm", "keep 2", "broken"])
    rig.end()
    #expect(rig.log.last == "broken")
  }

  @Test func `pages without entries are confirmed`() {
    var rig = Rig(2)
    rig.page()
    rig.entries(2)
    rig.page()
    rig.page()
    rig.left(0)
    rig.end()
    #expect(
      rig.log == ["keep 0 |", "confirm", "keep 2 |", "confirm", "keep 0 |", "confirm", "finished 2"])
  }

  @Test func `what is left is told`() {
    var machine = LogDownloadMachine(LogPageCheck(announced: 2), at: .zero)
    _ = machine.receivedEntries(bytes("0b07" + String(repeating: "00", count: 18)).span.bytes)
    let hasToAct = [bytes("0b0805000000"), bytes("0b08"), bytes("0b0800000000")].map {
      machine.receivedProgress($0.span.bytes)
    }
    #expect(hasToAct == [false, false, true])
    #expect(machine.tally.malformed == 1)
    machine.pageCompleted()
    let step = machine.step(at: .zero)
    #expect(step == .keep(LogPage(entries: Array(repeating: 0, count: 18), endsPage: true, left: 0)))
  }

  // What is known to have come (fault F110).

  @Test(
    arguments: [true, false])
  func `F110 a page of which packets were lost is not confirmed, wherever the progress stands`(
    progressFirst: Bool
  ) {
    var rig = Rig(1_024)
    rig.entries(510)
    if progressFirst { rig.left(512) }
    rig.page()
    if !progressFirst { rig.left(512) }
    rig.end()
    #expect(rig.log == ["keep 510", "doubtful 510"])
  }

  @Test func `F110 a page of which nothing came is not confirmed by the progress of the page before`() {
    var rig = Rig(12)
    rig.entries(4)
    rig.page()
    rig.left(8)
    rig.run()
    rig.page()
    rig.run()
    rig.left(4)
    rig.end()
    #expect(rig.log == ["keep 4 |", "confirm", "doubtful 4"])
  }

  @Test func `F110 the progress may be lost with the entries`() {
    var rig = Rig(12)
    rig.entries(4)
    rig.page()
    rig.left(8)
    rig.run()
    rig.entries(2)
    rig.page()
    rig.end()
    #expect(rig.log == ["keep 4 |", "confirm", "keep 2", "doubtful 6"])
  }

  @Test func `F110 pages of boards that tell no progress are full, or not confirmed`() {
    for (count, log) in [(512, ["keep 512 |", "confirm"]), (510, ["keep 510", "doubtful 510"])] {
      var rig = Rig(1_000, pageSize: 512)
      rig.entries(count)
      rig.page()
      while let limit = rig.run(), limit <= LogDownloadMachine.quiet { rig.now += limit }
      #expect(rig.log == log)
    }
  }

  @Test func `F110 what came twice alike is what the board has, and the difference is told`() {
    var first = Rig(515)
    first.entries(4)
    first.page()
    first.left(508)
    first.end()
    #expect(first.log == ["keep 4", "doubtful 4"])
    var second = Rig(515, earlier: first.machine.tally.doubt)
    second.entries(4)
    second.page()
    second.left(508)
    second.run()
    second.now += LogDownloadMachine.quiet
    second.run()
    #expect(second.log == ["keep 4 of 7 |", "confirm"])
    // From then on it is known that three were announced in vain.
    for left in stride(from: UInt32(504), through: 0, by: -4) {
      second.entries(4)
      second.page()
      second.left(left)
    }
    second.end()
    #expect(second.log.last == "finished 512")
  }

  @Test func `F110 what came otherwise the second time is in doubt again`() {
    var first = Rig(6)
    first.entries(4)
    first.page()
    first.left(0)
    first.end()
    var second = Rig(6, earlier: first.machine.tally.doubt)
    second.entries(4, of: 8)
    second.page()
    second.left(0)
    second.end()
    #expect(second.log == ["keep 4", "doubtful 4"])
  }

  @Test func `F110 a page of which nothing came is never erased, however often`() {
    var first = Rig(6)
    first.page()
    first.left(0)
    first.end()
    #expect(first.machine.tally.doubt == nil && first.log == ["doubtful 0"])
  }

  @Test func `F111 a page during which our own reader was stalled is read once more`() {
    var first = Rig(2)
    first.entries(2)
    first.machine.stalled()
    first.page()
    first.left(0)
    first.end()
    #expect(first.log == ["keep 2", "doubtful 2"])
    // The same once more, be we held up again.
    var second = Rig(2, earlier: first.machine.tally.doubt)
    second.entries(2)
    second.machine.stalled()
    second.page()
    second.left(0)
    second.end()
    #expect(second.log == ["keep 2 |", "confirm", "finished 2"])
  }

  @Test
  func `F112 where nothing may be erased no page is confirmed, and a log of one page comes all the same`() {
    var rig = Rig(4, mayErase: false)
    rig.entries(2)
    rig.page()
    rig.left(2)
    rig.end()
    #expect(rig.log == ["keep 2 |", "needsErasure 2"])
    var whole = Rig(2, mayErase: false)
    whole.entries(2)
    whole.page()
    whole.left(0)
    whole.end()
    #expect(whole.log == ["keep 2 |", "finished 2"])
  }
}
