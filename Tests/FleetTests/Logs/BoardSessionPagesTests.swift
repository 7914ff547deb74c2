import BoardKit
import FleetModel
import Storage
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

/// What is erased of a board's log, page by page, what is left there, and what is said of it (faults F110 to F114).
@Suite(.timeLimit(.minutes(20)))
struct BoardSessionPagesTests {
  private typealias Rig = SupervisorRig

  private static func data(_ outcome: CommandOutcome) -> JSONObject {
    switch outcome {
    case .done(_, let data): data
    case .failed(let failure): failure.data
    case .unknown: [:]
    }
  }

  @Test(
    arguments: [1, 2])
  func `F110 pages of which packets are lost are read again, and come home once and in whole`(pages: Int)
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      await flash.change { $0.pagesWithLoss = pages }
      let told = await rig.published(.logDownloaded)
      await rig.disconnects()
      return await (told, rig.archived(), flash.deeds, rig.gaps())
    }
    let (told, archived, deeds, gaps) = try #require(outcome)
    #expect(told.map(\.type) == ["complete"])
    #expect(told.first?.fields["samples"] == 45 && told.first?.fields["entries_lost"] == 0)
    #expect(archived == Array(0..<45))
    #expect(deeds.filter { $0 == "read" }.count == pages + 1)
    #expect(gaps == [[], []])
  }

  @Test
  func `F110 a page that never comes in whole stays on the board, and nothing of it is stored twice later`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      await flash.change { $0.pagesWithLoss = 3 }
      let short = await rig.published(.logDownloaded)
      let (left, confirmed) = await (flash.entries.count, flash.deeds.contains("confirm"))
      let all = await rig.published(.logDownloaded, 2)
      return await (short, left, confirmed, all.map(\.type), rig.archived())
    }
    let (short, left, confirmed, all, archived) = try #require(outcome)
    #expect(short.map(\.type) == ["short"] && short.first?.fields["entries_stored"] == 0)
    #expect(short.first?.fields["entries_expected"] == 25)
    #expect(left == 25 && !confirmed)
    #expect(all == ["short", "complete"] && archived == Array(0..<25))
  }

  @Test func `F110 what the board counted and never hands out is told as lost, everywhere`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      await flash.change { $0.neverTold = 2 }
      let told = await rig.published(.logDownloaded)
      await rig.disconnects()
      let state = await rig.board.state
      return await (told.first, rig.archived(), rig.gaps(), rig.sessions(), state.lastDay.samplesLost)
    }
    let (told, archived, gaps, sessions, lost) = try #require(outcome)
    #expect(told?.type == "short" && told?.fields["entries_lost"] == 2)
    #expect(told?.fields["entries_expected"] == 27 && told?.fields["entries_stored"] == 25)
    #expect(archived == Array(0..<25) && gaps == [["download"], []])
    // The board was seen to be empty: what it writes from now on is another run's.
    #expect(sessions.map(\.progress) == [.cleared, .logging])
    #expect(lost == 2)
  }

  @Test func `F111 a session knows that its reader was held up, and reads the page once more`() throws {
    let once = Once()
    let outcome = try Rig.visit(
      passed: { rig, step in
        guard step == .kept, once.take() else { return }
        rig.radio.delays.withLock { $0 = [.seconds(2)] }
        await rig.pass(.seconds(3))
      }
    ) { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      let told = await rig.published(.logDownloaded)
      return await (told.first?.type, flash.deeds.filter { $0 == "read" }.count, rig.archived())
    }
    let (type, reads, archived) = try #require(outcome)
    #expect(type == "complete" && reads == 2 && archived == Array(0..<25))
  }

  @Test func `F112 a log that cannot be read without erasing it is not touched where that was not allowed`()
    throws
  {
    let outcome = try Rig.visit(Rig.logging(every: nil)) { rig, flash in
      await flash.announcePageSize()
      while await !flash.isLogging { await rig.pass(.milliseconds(200)) }
      await flash.sample(25)
      let deeds = await flash.deeds
      let refused = await rig.perform(.download(resume: nil, clear: false))
      let untouched = await flash.deeds == deeds
      let left = await flash.entries.count
      let allowed = await rig.perform(.download(resume: nil, clear: true))
      return await (refused, untouched, left, allowed, rig.archived())
    }
    let (refused, untouched, left, allowed, archived) = try #require(outcome)
    guard case .failed(let failure) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(failure.code == .unsupported && failure.data["complete"] == false)
    #expect(failure.data["entries_expected"] == 25 && untouched && left == 25)
    #expect(Self.data(allowed)["complete"] == true && archived == Array(0..<25))
  }

  @Test(arguments: [8, 25])
  func `F112 clear: never erases nothing, whatever the board's pages are`(entries: Int) throws {
    let outcome = try Rig.visit(Rig.logging { $0.visit.clear = .never }) { rig, flash in
      await rig.disconnects()
      await flash.sample(entries)
      let told = await rig.published(.logDownloaded)
      await rig.disconnects()
      return await (told.first, flash.deeds, flash.entries.count, rig.archived())
    }
    let (told, deeds, left, archived) = try #require(outcome)
    #expect(!deeds.contains("confirm") && !deeds.contains("clear") && left == entries)
    // A log of one page needs no leave.
    #expect(told?.type == (entries <= 10 ? "complete" : "short"))
    #expect(archived == Array(0..<min(10, entries)))
    #expect(told?.message == nil || told?.message?.contains("only after the last one is erased") == true)
  }

  @Test func `F114 entries that nobody can read are kept, and no download with them is complete`() throws {
    let outcome = try Rig.visit(Rig.logging(every: nil)) { rig, flash in
      while await !flash.isLogging { await rig.pass(.milliseconds(200)) }
      await flash.sample(3)
      await flash.sample(4, slot: 6)
      let result = await rig.perform(.download(resume: nil, clear: true))
      return await (result, rig.archived())
    }
    let (result, archived) = try #require(outcome)
    guard case .failed(let failure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.code == .boardError && failure.data["complete"] == false)
    #expect(failure.data["undecoded"] == 4 && failure.data["samples"] == 3)
    #expect(failure.data["entries_stored"] == 7 && archived == Array(0..<7))
  }

  @Test func `F114 loggers that others made beside ours are in the map before their entries come`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(3)
      await flash.addLogger(slot: 6, isKnown: true)
      await flash.sample(4, slot: 6)
      let told = await rig.published(.logDownloaded)
      return await (
        told.first, rig.log.published(.unknownLogger).map(\.0), rig.sessions().first?.streams.map(\.name)
      )
    }
    let (told, unknown, streams) = try #require(outcome)
    #expect(told?.fields["samples"] == 7 && told?.fields["undecoded"] == 0 && told?.type == "complete")
    #expect(unknown.map(\.type) == ["found"] && unknown.first?.fields["slots"] == [6])
    #expect(streams == ["acceleration", "switch"])
  }

  @Test(
    arguments: [false, true])
  func `F113 loggers that nobody of us made are told at the first contact, and visits leave their log alone`(
    takesForeign: Bool
  ) throws {
    let profile = Rig.logging {
      $0.logs = [:]
      $0.visit.takesForeign = takesForeign
    }
    let outcome = try Rig.visit(profile) { rig, flash in
      await flash.addLogger(slot: 4, isKnown: true)
      await flash.sample(15, slot: 4)
      let found = await rig.published(.unknownLogger)
      let isUntouched = await !flash.deeds.contains("read")
      await rig.pass(.seconds(8_000))
      let (left, wasRead) = await (flash.entries.count, flash.deeds.contains("read"))
      let result = await rig.perform(.download(resume: nil, clear: nil))
      return await (
        found, isUntouched, left, wasRead, result, rig.archived(), rig.log.published(.unknownLogger).count
      )
    }
    let (found, isUntouched, left, wasRead, result, archived, told) = try #require(outcome)
    #expect(found.first?.type == "found" && found.first?.fields == ["slots": [4], "entries": 15])
    #expect(isUntouched && wasRead == takesForeign && left == (takesForeign ? 0 : 15))
    // A command says otherwise.
    #expect(Self.data(result)["complete"] == true && archived == Array(0..<15))
    #expect(told == 1)
  }

  /// The broker takes all of it at once.
  @Sendable private static func publish(_ rig: Rig) async {
    for run in (try? await rig.store.logs.sessions(of: rig.board.board)) ?? [] {
      try? await rig.store.publishing.publish([], of: run.id, upTo: LogCursor(position: run.stored))
    }
  }

  @Test func `F115 clear: published erases each page when the broker has its samples, and not before`() throws
  {
    let outcome = try Rig.visit(
      Rig.logging { $0.visit.clear = .published },
      passed: { rig, step in
        guard step == .kept, let flash = rig.flash else { return }
        // Half a second later.
        await flash.note("kept")
        await Self.publish(rig)
      }
    ) { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      let told = await rig.published(.logDownloaded)
      return await (told.first?.type, flash.deeds, flash.entries.count, rig.sessions().first)
    }
    let (type, deeds, left, session) = try #require(outcome)
    #expect(type == "complete" && left == 0)
    #expect(
      deeds.filter { $0 == "kept" || $0 == "confirm" } == [
        "kept", "confirm", "kept", "confirm", "kept", "confirm",
      ])
    #expect(session?.isErasedBeforePublished == false)
  }

  @Test func `F115 without the broker nothing is erased for 30 s, and at the next visit it is, and told`()
    throws
  {
    let outcome = try Rig.visit(Rig.logging { $0.visit.clear = .published }) { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      let first = await rig.published(.logDownloaded)
      let (left, confirmed) = await (flash.entries.count, flash.deeds.contains("confirm"))
      await rig.disconnects()
      let held = rig.world.uptime
      let both = await rig.published(.logDownloaded, 2)
      return await (
        first, left, confirmed, rig.world.uptime - held, both, rig.archived(), rig.sessions().first
      )
    }
    let (first, left, confirmed, pause, both, archived, session) = try #require(outcome)
    #expect(first.first?.type == "short" && first.first?.message?.contains("did not acknowledge") == true)
    #expect(left == 25 && !confirmed && pause > .seconds(3_000))
    #expect(both.map(\.type) == ["short", "complete"] && archived == Array(0..<25))
    #expect(session?.isErasedBeforePublished == true && session?.progress == .cleared)
  }

  @Test
  func
    `F115 what a board logged before its reset can be dated only in whole, and does not wait for the broker`()
    throws
  {
    let outcome = try Rig.visit(Rig.logging { $0.visit.clear = .published }) { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      await flash.reboot()
      let told = await rig.published(.logDownloaded)
      return await (told.first?.type, rig.sessions().first?.isErasedBeforePublished)
    }
    let (type, isErasedBefore) = try #require(outcome)
    #expect(type == "complete" && isErasedBefore == true)
  }
}
