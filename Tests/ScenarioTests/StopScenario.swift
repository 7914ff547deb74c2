import BoardKit
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// How a gateway stops where something hangs, in virtual time.
@Suite(.timeLimit(.minutes(20))) struct StopScenario {
  /// A radio whose links take an hour to end: bluetoothd does not answer.
  private struct StuckRadio: Radio {
    let radio: SimulatedRadio
    let timekeeper: any Timekeeper

    var executor: any SerialExecutor { radio.executor }
    var events: AsyncStream<RadioEvent> { radio.events }

    func run() async { await radio.run() }
    func discover(_ isWanted: Bool, unfiltered: Bool) async {
      await radio.discover(isWanted, unfiltered: unfiltered)
    }
    func connect(
      to board: BoardID, via adapter: AdapterID, timeout: Duration
    ) async throws(LinkFailure) -> any BoardLink {
      StuckLink(
        link: try await radio.connect(to: board, via: adapter, timeout: timeout), timekeeper: timekeeper)
    }
    func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }
    func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async {
      await radio.expect(boards, isSilenceNormal: isSilenceNormal)
    }
    func use(_ adapters: Set<AdapterID>?) async { await radio.use(adapters) }
  }

  private struct StuckLink: BoardLink {
    let link: any BoardLink
    let timekeeper: any Timekeeper

    var board: BoardID { link.board }
    var adapter: AdapterID { link.adapter }

    func open(
      received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
      ended: @escaping @Sendable (LinkFailure) -> Void
    ) async { await link.open(received: received, ended: ended) }
    func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
      try await link.subscribe(to: characteristic)
    }
    func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
      try await link.read(characteristic)
    }
    func write(
      _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
    ) async throws(LinkFailure) { try await link.write(value, to: characteristic, as: kind) }
    func disconnect() async {
      do throws(CancellationError) { try await timekeeper.sleep(for: .seconds(3_600)) } catch {}
    }
  }

  @Test func `F203 a stop whose links do not end tells the broker all the same, within its time`() throws {
    let world = SeededWorld(seed: 1)
    let radio = StuckRadio(
      radio: SimulatedRadio(
        boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world),
      timekeeper: world)
    let parts = try GatewayParts(radio: radio, boards: 1, timekeeper: world, storeExecutor: world, seed: 1)
    let outcome = world.run {
      await parts.run { broker -> (Duration, String) in
        _ = await broker.message {
          $0.topic.hasSuffix("/availability") && $0.topic.contains("/board/") && $0.says("\"connected\"")
        }
        let (start, mark) = (world.uptime, await broker.mark)
        await parts.gateway.stop()
        let last = await broker.message(after: mark) {
          $0.topic == "metafleet/gateway/test/availability" && $0.says("\"stopped\"")
        }
        return (world.uptime - start, last.text)
      }
    }
    let (span, last) = try #require(outcome ?? nil)
    #expect(span >= .seconds(10) && span <= .seconds(16), "\(span)")
    #expect(last.contains("\"offline\""), "\(last)")
  }
}
