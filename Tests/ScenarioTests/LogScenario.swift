import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What simulated boards write on their flash comes home in whole.
@Suite(.timeLimit(.minutes(20)), .ownThread) struct LogScenario {
  private static let streams =
    #""streams":{"acceleration":{"rate_hz":50,"range_g":4},"temperature-die":{"every":"1s"}}"#

  @Test(arguments: [0, 1])
  func `logs are started, looked at, brought home and stopped by verbs, on both models`(index: Int)
    async throws
  {
    let board = Rig.boards(2)[index]
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig -> [String] in
      await rig.isConnected(board)
      let started = await rig.command("log-start", Self.streams, on: board)
      try? await rig.timekeeper.sleep(for: .seconds(20))
      let status = await rig.command("log-status", on: board)
      let downloaded = await rig.command("log-download", on: board)
      let stopped = await rig.command("log-stop", on: board)
      let again = await rig.command("log-download", on: board)
      return [started, status, downloaded, stopped, again]
    }
    let replies = try #require(outcome)
    for text in replies { #expect(text.contains("\"ok\":true"), "\(text)") }
    #expect(
      replies[0].contains(#""loggers":{"#) && replies[0].contains(#""evidence":"readback""#), "\(replies[0])")
    #expect(replies[1].contains(#""logging":true"#), "\(replies[1])")
    let (expected, entries, samples) = try #require(Self.counts(in: replies[2]), "\(replies[2])")
    #expect(expected == entries && replies[2].contains(#""complete":true,"cleared":true"#), "\(replies[2])")
    // Twenty seconds of vectors of two entries, and of temperatures of one.
    #expect((1_900...2_200).contains(entries), "\(entries)")
    #expect((950...1_100).contains(samples), "\(samples)")
    #expect(replies[3].contains(#""logging":false"#), "\(replies[3])")
    #expect(replies[4].contains(#""complete":true"#), "\(replies[4])")
  }

  private static func counts(in text: String) -> (expected: Int, stored: Int, samples: Int)? {
    text.firstMatch(of: /"entries_expected":(\d+),"entries_stored":(\d+),"samples":(\d+)/).map {
      (Int($0.1) ?? -1, Int($0.2) ?? -2, Int($0.3) ?? 0)
    }
  }

  @Test func `boards with a profile that logs are visited, and every entry comes home`() throws {
    let (world, configuration) = (SeededWorld(seed: 1), try Self.visited())
    let outcome = world.run(atMost: .seconds(3_600)) { [configuration] in
      let radio = SimulatedRadio(
        boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
      guard let store = try? Store(inMemoryOn: world) else { return nil as [String]? }
      let parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1)
      return await parts.run { broker in
        try? await world.sleep(for: .seconds(1_500))
        return await broker.published.map { "\($0.topic) \($0.text)" }
      }
    }
    let published = try #require(outcome ?? nil)
    for board in Rig.boards(2) {
      let own = published.filter { $0.hasPrefix("metafleet/board/\(board)/") }
      let downloads = own.filter { $0.contains("/event/log-downloaded ") && $0.contains(#""complete""#) }
      #expect((3...6).contains(downloads.count), "\(downloads)")
      #expect(!own.contains { $0.contains(#""short""#) })
      // What the board wrote, and what subscribers got of it.
      let samples = downloads.compactMap { Self.counts(in: $0)?.samples }.reduce(0, +)
      let batches = own.filter { $0.contains("/log/acceleration ") }
      let counts = batches.compactMap { $0.firstMatch(of: /"count":(\d+)/).flatMap { Int($0.1) } }
      #expect(counts.reduce(0, +) == samples && samples > 0)
      #expect(batches.allSatisfy { $0.contains(#""source":"board-tick""#) })
      // Nothing is missing but what the board did not log while it was read out, before a session's first sample.
      #expect(
        batches.allSatisfy { $0.contains(#""gap_before":0"#) || $0.contains(#""seq":0,"#) }, "\(batches)")
      let gaps = own.filter { $0.contains("/event/data-gap ") }
      #expect(!gaps.isEmpty && gaps.allSatisfy { $0.contains(#""cause":"pause""#) })
      for download in downloads.dropFirst() {
        let (expected, stored, samples) = try #require(Self.counts(in: download), "\(download)")
        #expect(expected == stored)
        // Five minutes at 12.5 Hz, give or take the spread of visits.
        #expect((3_200...4_300).contains(samples), "\(download)")
      }
      #expect(
        own.contains {
          $0.contains("/state ") && $0.contains(#""link":"logging""#) && $0.contains("next_contact_ms")
        })
      #expect(own.contains { $0.contains("/availability ") && $0.contains("visited") })
      #expect(
        own.contains {
          $0.contains("/config ") && $0.contains(#""in_sync":true"#) && $0.contains(#""reported":{"log""#)
        })
    }
  }

  @Test
  func
    `a board that is let go of without its data takes along what was delivered, and the reply tells how much`()
    throws
  {
    let (world, board) = (SeededWorld(seed: 1), Rig.boards(1)[0])
    var configuration = try Self.visited()
    configuration.boards = []
    let outcome = world.run(atMost: .seconds(3_600)) { [configuration] in
      let radio = SimulatedRadio(
        boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
      guard let store = try? Store(inMemoryOn: world) else { return nil as ([String], Int, Int)? }
      let parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1)
      return await parts.run { broker in
        func command(_ verb: String, _ arguments: String) async -> String {
          let mark = await broker.mark
          await broker.send(
            "metafleet/gateway/test/cmd/\(verb)",
            #"{"id":"\#(verb)","args":{"board":"\#(board)",\#(arguments)}}"#)
          return await broker.message(after: mark) {
            $0.topic == "metafleet/gateway/test/reply/\(verb)" && $0.says("\"ok\"")
          }.text
        }
        // The gateway listens by then.
        try? await world.sleep(for: .seconds(5))
        let admitted = await command("admit", #""profile":"demo""#)
        try? await world.sleep(for: .seconds(700))
        let before = (try? await store.logs.size()) ?? -1
        let forgotten = await command("forget", #""keep_data":false"#)
        try? await world.sleep(for: .seconds(1_200))
        return ([admitted, forgotten], before, (try? await store.logs.size()) ?? -1)
      }
    }
    let (replies, before, after) = try #require(outcome ?? nil)
    for text in replies { #expect(text.contains(#""ok":true"#), "\(text)") }
    let entries = try #require(replies[1].firstMatch(of: /"entries":(\d+)/).flatMap { Int($0.1) })
    #expect(entries > 0 && before == entries * 9, "\(replies[1]), \(before) bytes")
    #expect(after == 0)
  }

  private static func visited() throws -> FleetConfiguration {
    var configuration = try GatewayParts.configuration(boards: 2, seed: 1)
    var profile = Profile()
    let stream = try #require(StreamCatalogue.find("acceleration")?.stream)
    profile.logs = [
      "acceleration": StreamRequest(
        name: "acceleration",
        configuration: try stream.configure(["rate_hz": 12.5, "range_g": 4], for: .log).values)
    ]
    profile.visit.every = .every(.seconds(300))
    configuration.profiles["demo"] = profile
    return configuration
  }
}
