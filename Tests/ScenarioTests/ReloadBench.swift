import Dialects
import FleetModel
import Simulator
import Storage
import Support
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// Twenty boards that stream, their gateway, its file, and what reloads of it do to each of them.
struct ReloadBench: Sendable {
  /// What the boards are called; the first four have the profile `p`.
  static let boards = (3...22).map { BoardID("c0ffee0000" + String($0, radix: 16).leftPadded)! }
  static let edited = boards.prefix(4)

  /// What came of a reload, until the next.
  struct Effect: Sendable {
    /// The answer's changes, each as its path, what it is, and whether it is applied; nil where it was refused.
    var told: [String]?
    /// Boards of which a link ended, and such that something was written to.
    var unlinked: Set<BoardID>
    var written: Set<BoardID>
    /// Where the messages lie that were published meanwhile.
    var places: Range<Int>
  }

  private static let profile: JSONObject = [
    "stream": [
      "acceleration": ["rate_hz": 3.125, "range_g": 4], "temperature-die": ["every": "10s"],
    ], "visit": ["every": "1h"],
  ]

  /// What a fleet like that has in its file. What is not edited is as it would be in any other.
  static let file: JSONValue = [
    "gateway": ["id": "test"], "bluetooth": ["max_links_per_adapter": 64],
    "lanes": ["live": ["rate_hz": 0.1]], "http": ["token_file": "/token"],
    "profiles": [
      "p": .object(profile), "q": ["stream": ["switch": [:]]], "demo": ["stream": profile["stream"] ?? [:]],
    ],
    "boards": .array(
      boards.map { board in
        ["address": .string(board.description), "profile": edited.contains(board) ? "p" : "demo"]
      }),
  ]

  let world: SeededWorld
  let measured: MeasuredSamples
  private let radio: ListeningRadio
  private let content: FileInMemory
  private let parts: GatewayParts

  init(seed: UInt64) throws {
    let (world, measured) = (SeededWorld(seed: seed), MeasuredSamples())
    let boards = (3...22).map { number in
      MetaMotionBoard(
        Firmware(
          model: number.isMultiple(of: 2) ? .rl : .s, identity: BoardIdentity(number: UInt16(number)),
          seed: seed &+ UInt64(number), ledger: .samples))
    }
    radio = ListeningRadio(
      radio: SimulatedRadio(
        boards: boards, air: Air(seed: seed), timekeeper: world, executor: world,
        ledger: { address, entry, _ in measured.note(address, entry) }))
    let configuration = try ConfigurationEdits.read(Self.file)
    let content = FileInMemory(configuration)
    parts = GatewayParts(
      radio: radio, configuration: configuration, timekeeper: world, store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: seed, reload: { () async throws(CommandFailure) in content.checked })
    (self.world, self.measured, self.content) = (world, measured, content)
  }

  /// Has the gateway run with all boards streaming while `body` does something. Nil where that never ended.
  func play<Result: Sendable>(
    _ body: @escaping @Sendable (RecordingBroker) async -> Result
  ) -> Result? {
    world.run(atMost: .seconds(20_000)) { [parts] in
      await parts.run { broker in
        await becomeQuiet()
        return await body(broker)
      }
    } ?? nil
  }

  /// The file says something else, and is read again.
  func reload(_ configuration: FleetConfiguration, _ broker: RecordingBroker) async -> Effect {
    let (begin, ends, changes) = (await broker.mark, radio.ears.ends, radio.ears.changes)
    content.edit { $0.configuration = configuration }
    let outcome = await parts.gateway.reload()
    try? await world.sleep(for: .seconds(8))
    let (endsNow, changesNow) = (radio.ears.ends, radio.ears.changes)
    return Effect(
      told: Self.told(outcome), unlinked: Set(endsNow.keys.filter { endsNow[$0] != ends[$0] }),
      written: Set(changesNow.keys.filter { changesNow[$0] != changes[$0] }),
      places: begin..<(await broker.mark))
  }

  /// Waits until all boards are linked and have been left alone for a while.
  func becomeQuiet() async {
    let all = Set(Self.boards)
    var last: [BoardID: Int] = [:]
    for _ in 0..<100 {
      let now = radio.ears.changes
      if radio.ears.linked == all, now == last { return }
      last = now
      try? await world.sleep(for: .seconds(4))
    }
  }

  private static func told(_ outcome: CommandOutcome) -> [String]? {
    guard case .done(_, let data) = outcome else { return nil }
    return (data["changes"]?.array ?? []).compactMap(\.object).map { change in
      let isApplied = change["applied"]?.bool == true
      return
        "\(change["path"]?.string ?? "?") \(change["change"]?.string ?? "?")\(isApplied ? "" : ", not applied")"
    }
  }
}

extension String {
  /// A byte's two hexadecimal digits.
  fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
