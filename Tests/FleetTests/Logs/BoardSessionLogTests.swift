import BoardKit
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Downloads from a toy board whose flash outlives its links, with the true times of a building.
@Suite(.timeLimit(.minutes(20)))
struct BoardSessionLogTests {
  private typealias Rig = SupervisorRig

  private static func data(_ outcome: CommandOutcome) -> JSONObject {
    switch outcome {
    case .done(_, let data): data
    case .failed(let failure): failure.data
    case .unknown: [:]
    }
  }

  @Test func `a visit brings home what was logged, and the board logs on in a new session`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      let told = await rig.published(.logDownloaded)
      await rig.disconnects()
      await flash.sample(1)
      return await (told, rig.archived(), flash.entries.count, flash.isLogging, rig.sessions())
    }
    let (told, archived, left, isLogging, sessions) = try #require(outcome)
    #expect(told.map(\.type) == ["complete"])
    #expect(told.first?.fields["entries_stored"] == 45 && told.first?.fields["samples"] == 45)
    #expect(archived == Array(0..<45))
    #expect(left == 1 && isLogging)
    #expect(sessions.map(\.progress) == [.cleared, .logging])
    #expect(sessions.first?.streams.map(\.name) == ["acceleration"])
  }

  @Test(arguments: 0...4)
  func `F31 I1 I10 a link that breaks at any page costs nothing, and nothing comes twice`(page: Int) throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      await flash.change { $0.breaksAtPage = page }
      _ = await rig.published(.logDownloaded)
      await rig.disconnects()
      return await (rig.archived(), flash.entries.isEmpty, flash.isLogging, rig.world.uptime)
    }
    let (archived, isEmpty, isLogging, time) = try #require(outcome)
    #expect(archived == Array(0..<45))
    #expect(isEmpty && isLogging)
    #expect(time < .seconds(3_700), "it goes on at once")
  }

  @Test(
    arguments: DownloadStep.allCases)
  func `F32 I19 a link that ends behind any step of a download costs nothing`(step: DownloadStep) throws {
    let cuts = Once()
    let outcome = try Rig.visit(
      passed: { rig, passed in
        guard passed == step, await !rig.log.published(.linkUp).isEmpty,
          cuts.take(after: step == .kept ? 2 : 0)
        else {
          return
        }
        await rig.radio.link?.lose(LinkFailure(.linkLost, "as planned"))
      }
    ) { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      await rig.pass(.seconds(3_700))
      await rig.disconnects()
      await rig.pass(.seconds(3_700))
      return await (rig.archived(), flash.entries.isEmpty, flash.isLogging, rig.log.types(of: .logDownloaded))
    }
    let (archived, isEmpty, isLogging, told) = try #require(outcome)
    #expect(archived == Array(0..<45))
    #expect(isEmpty && isLogging)
    #expect(!told.contains("short"))
  }

  @Test
  func `F34 I2 a board that counts more than it tells is told as short, and neither cleared nor asked again`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      await flash.change { $0.hidden = 3 }
      let told = await rig.published(.logDownloaded)
      await rig.pass(.seconds(1_000))
      return await (told, rig.archived(), flash.deeds, flash.isLogging)
    }
    let (told, archived, deeds, isLogging) = try #require(outcome)
    #expect(told.map(\.type) == ["short"])
    #expect(told.first?.fields["entries_expected"] == 28 && told.first?.fields["entries_stored"] == 25)
    #expect(archived == Array(0..<25))
    #expect(!deeds.contains("clear") && deeds.filter { $0 == "read" }.count == 1)
    #expect(isLogging)
  }

  @Test func `F35 a board that falls silent in mid download is left, and asked again after half a minute`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      await flash.change { $0.silentBeforePage = 2 }
      let short = await rig.published(.logDownloaded)
      let time = rig.world.uptime
      let all = await rig.published(.logDownloaded, 2)
      return await (short.map(\.type), all.map(\.type), rig.world.uptime - time, rig.archived())
    }
    let (short, all, pause, archived) = try #require(outcome)
    #expect(short == ["short"] && all == ["short", "complete"])
    #expect(pause >= .seconds(29) && pause < .seconds(60))
    #expect(archived == Array(0..<45))
  }

  @Test func `F36 an empty log is done within 2 s and asked nothing`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      let start = rig.world.uptime
      let outcome = await rig.perform(.download(resume: nil, clear: nil))
      return await (outcome, rig.world.uptime - start, flash.deeds, flash.isLogging)
    }
    let (result, time, deeds, isLogging) = try #require(outcome)
    let data = Self.data(result)
    #expect(data["complete"] == true && data["entries_expected"] == 0)
    #expect(time <= .seconds(2) && !deeds.contains("read") && isLogging)
  }

  @Test func `F38 what is cleared is stopped first, and a length of 1 behind it means nothing`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(12)
      let refused = await rig.perform(.clear(discard: 11))
      await flash.change { $0.isLengthStale = true }
      let cleared = await rig.perform(.clear(discard: 12))
      let status = await rig.perform(.status)
      return await (
        refused, cleared, status, flash.isLogging, flash.deeds, rig.sessions().map(\.progress), rig.gaps()
      )
    }
    let (refused, result, status, isLogging, deeds, sessions, gaps) = try #require(outcome)
    guard case .failed(let failure) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(failure.code == .undownloadedData && failure.data == ["entries": 12])
    #expect(Self.data(result) == ["dropped": 12, "entries": 0])
    #expect(Self.data(status)["entries"] == 0)
    #expect(isLogging && deeds.suffix(2) == ["stop", "clear"])
    #expect(sessions == [.cleared, .logging])
    // What was given up is declared lost.
    #expect(gaps == [["discarded"], []])
  }

  @Test
  func
    `F39 I3 what a board logged before its reset comes home by the logger map of then, and the board logs anew`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(25)
      await flash.reboot()
      let told = await rig.published(.logDownloaded)
      await rig.disconnects()
      await flash.sample(5)
      return await (
        told, rig.archived(), flash.isLogging, rig.sessions(), rig.log.types(of: .reset), rig.gaps()
      )
    }
    let (told, archived, isLogging, sessions, resets, gaps) = try #require(outcome)
    #expect(told.first?.type == "complete" && told.first?.fields["samples"] == 25)
    #expect(archived == Array(0..<25) && isLogging)
    #expect(sessions.map(\.boot) == [1, 2] && sessions.map(\.resetID) == [5, 6])
    #expect(resets == ["unexpected"])
    // What was not in flash, and what it did not log meanwhile, is missing before the new run.
    #expect(gaps == [[], ["board-reset"]])
  }

  @Test
  func
    `F39 the map of its loggers is known before a board writes: what it wrote before it started anew is read by it`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await flash.change { $0.restartsAfter = 12 }
      let told = await rig.published(.logDownloaded)
      return await (told, rig.archived(), rig.sessions())
    }
    let (told, archived, sessions) = try #require(outcome)
    #expect(told.first?.type == "complete" && told.first?.fields["samples"] == 12)
    #expect(archived == Array(0..<12))
    // By the map, and in the time, of the life in which it was written.
    #expect(sessions.first?.streams.map(\.name) == ["acceleration"])
    #expect(sessions.first?.boot == 1 && sessions.first?.resetID == 5)
  }

  @Test func `F40 I3 I4 entries of loggers that nobody knows are stored, told, and not erased unless told`()
    throws
  {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(3)
      await flash.sample(4, slot: 6)
      let told = await rig.published(.unknownLogger)
      return await (told, rig.archived(), flash.deeds)
    }
    let (told, archived, deeds) = try #require(outcome)
    #expect(told.map(\.type) == ["undecoded"])
    #expect(told.first?.fields["slots"] == [6] && told.first?.fields["entries"] == 4)
    #expect(archived == Array(0..<7) && !deeds.contains("clear"))
  }

  @Test func `F41 a board without room for the loggers is left as it was`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.change { $0.refused = ["pressure"] }
      let result = await rig.perform(
        .start(
          ["illuminance", "pressure"].map { StreamRequest(name: $0, configuration: [:]) }, isCircular: nil,
          adjusted: []))
      await rig.disconnects()
      return await (
        result, flash.requests.keys.sorted(), flash.isLogging, rig.log.configurations.last?.overlay
      )
    }
    let (result, loggers, isLogging, overlay) = try #require(outcome)
    guard case .failed(let failure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.code == .noSlots && failure.data["needed"] == 2)
    #expect(loggers == ["acceleration"] && isLogging && overlay == [])
  }

  @Test func `F90 I1 what the store does not take is not confirmed, and comes later`() throws {
    let once = Once()
    let outcome = try Rig.visit(
      passed: { rig, step in
        // The store forgets the read-out, and takes nothing of it.
        guard step == .begun, once.take(),
          let run = try? await rig.store.logs.openSession(of: rig.board.board)
        else {
          return
        }
        _ = try? await rig.store.logs.endReadOut(of: run.id, isFinished: false, received: 0)
      }
    ) { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      let told = await rig.published(.logDownloaded)
      let left = await flash.entries.count
      let isLogging = await flash.isLogging
      _ = await rig.published(.logDownloaded, 2)
      return await (told.first?.type, left, isLogging, rig.archived(), rig.log.refusals)
    }
    let (type, left, isLogging, archived, refusals) = try #require(outcome)
    #expect(type == "short" && left == 45 && isLogging)
    #expect(archived == Array(0..<45))
    // Told once, and once that it is over, whatever pages came meanwhile.
    #expect(refusals.map { $0 == nil } == [false, true])
  }

  @Test func `F42 I12 a ring that has given entries away tells so, with a gap`() throws {
    let outcome = try Rig.visit(Rig.logging { $0.isLogCircular = true }) { rig, flash in
      await flash.limit(to: 50)
      await rig.disconnects()
      await flash.sample(75)
      _ = await rig.published(.logDownloaded)
      return await (rig.gaps(), rig.log.types(of: .logLevel), rig.archived())
    }
    let (gaps, levels, archived) = try #require(outcome)
    #expect(gaps.first == ["log-wrapped"])
    #expect(levels.contains("wrapped"))
    #expect(archived == Array(30..<75))
  }

  @Test func `F48 what others changed between two contacts is told, and the board logs again`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(5)
      await flash.disturb()
      let told = await rig.published(.foreignChange)
      _ = await rig.published(.logDownloaded)
      await rig.disconnects()
      return await (told.first?.fields, rig.archived(), flash.isLogging)
    }
    let (fields, archived, isLogging) = try #require(outcome)
    #expect(fields == ["resources": ["logging"]])
    #expect(archived == Array(0..<5) && isLogging)
  }

  @Test func `F105 what others use and we need otherwise is told once a link`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.occupy("accelerometer")
      return await rig.published(.foreignChange).first.map { ($0.type, $0.fields) }
    }
    let (type, fields) = try #require(outcome.flatMap { $0 })
    #expect(type == "conflict" && fields == ["resources": ["sensor/accelerometer"]])
  }

  @Test func `another configuration waits until what was written with the old one has come home`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(5)
      let request = StreamRequest(name: "acceleration", configuration: ["rate_hz": 100])
      let refused = await rig.perform(.start([request], isCircular: nil, adjusted: []))
      _ = await rig.perform(.download(resume: nil, clear: nil))
      let taken = await rig.perform(.start([request], isCircular: nil, adjusted: []))
      return await (refused, taken, flash.requests["acceleration"])
    }
    let (refused, taken, request) = try #require(outcome)
    guard case .failed(let failure) = refused, case .done(evidence: .readback, let data) = taken else {
      Issue.record("\(refused) \(taken)")
      return
    }
    #expect(failure.code == .undownloadedData && failure.data == ["entries": 5])
    #expect(data["loggers"] == ["acceleration": [0]] && data["config"] == ["acceleration": ["rate_hz": 100]])
    #expect(data["capacity_s"] == 50_000)
    #expect(request?.configuration["rate_hz"] == 100)
  }

  @Test func `what verbs stop is written no more, and its loggers go when the log has come home`() throws {
    let outcome = try Rig.visit { rig, flash in
      await rig.disconnects()
      await flash.sample(5)
      let stopped = await rig.perform(.stop(nil))
      await flash.sample(5)
      let lingering = await flash.requests.keys.sorted()
      let downloaded = await rig.perform(.download(resume: nil, clear: nil))
      return await (stopped, lingering, downloaded, flash.requests.keys.sorted(), flash.isLogging)
    }
    let (stopped, lingering, downloaded, loggers, isLogging) = try #require(outcome)
    #expect(Self.data(stopped) == ["logging": false, "entries": 5])
    #expect(lingering == ["acceleration"] && loggers == [] && !isLogging)
    #expect(Self.data(downloaded)["complete"] == true && Self.data(downloaded)["entries_stored"] == 5)
  }

  @Test func `a gateway that stops ends a download at a page, and the board logs on`() throws {
    let kept = Counters()
    let outcome = try Rig.visit(
      passed: { rig, step in
        guard step == .kept else { return }
        kept.add(to: .samplesIn)
        await rig.pass(.milliseconds(500))
      }
    ) { rig, flash in
      await rig.disconnects()
      await flash.sample(45)
      while kept.value(of: .samplesIn) < 2, !Task.isCancelled { await rig.pass(.milliseconds(100)) }
      let start = rig.world.uptime
      await rig.board.retire(isStopping: true)
      await rig.board.finished()
      return await (rig.world.uptime - start, flash.isLogging, rig.archived(), flash.entries.count)
    }
    let (time, isLogging, archived, left) = try #require(outcome)
    #expect(time < .seconds(10) && isLogging)
    #expect(archived.count + left >= 45)
    #expect(archived == Array(0..<archived.count))
  }
}

/// Happens once, after some others.
final class Once: Sendable {
  private let counter = Counters()

  func take(after count: Int = 0) -> Bool {
    counter.add(to: .samplesIn)
    return counter.value(of: .samplesIn) == count + 1
  }
}
