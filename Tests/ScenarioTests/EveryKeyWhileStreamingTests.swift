import Dialects
import FleetModel
import Support
import Testing

@testable import Fleet

/// A file is read again with another value of a key, for every key there is, while twenty boards stream: each does what
/// is declared of it (`FileKey.reload`, `FileKey.reach`), to the boards that it concerns, and nothing else. A key that
/// is new is among them by itself; what it concerns has to be said here where it reaches boards.
@Suite(.timeLimit(.minutes(20)), .ownThread) struct EveryKeyWhileStreamingTests {
  /// A key with another value.
  private struct Edit: Sendable {
    var path: String
    var key: Parameter
    var value: JSONValue

    var label: String { "\(path): \(value)" }
    var section: Substring { path.prefix { $0 != "." } }
    var reach: FileKey.Reach { key.file?.reload == .live ? key.file?.reach ?? .nothing : .nothing }

    /// The boards that it is about; nil where nobody has said so.
    var concerned: Set<BoardID>? {
      if reach == .nothing { return [] }
      if path.hasPrefix("profiles.<name>.") { return Set(ReloadBench.edited) }
      if path.hasPrefix("boards[].") { return [ReloadBench.boards[0]] }
      return path == "bluetooth.adapters" ? Set(ReloadBench.boards) : nil
    }

    /// What an answer tells of it, and of its taking back.
    func told(isTakenBack: Bool) -> [String] {
      if path == "boards[].address" {
        let (old, new) = ("boards[\(ReloadBench.boards[0])]", "boards[c0ffee000002]")
        return isTakenBack ? ["\(new) removed", "\(old) added"] : ["\(new) added", "\(old) removed"]
      }
      // Its rules have no names of their own.
      let name =
        path.hasPrefix("commands.allow")
        ? "commands.allow"
        : path.replacing("<name>", with: "p").replacing("[]", with: "[\(ReloadBench.boards[0])]")
      if key.file?.reload == .live { return ["\(name) changed"] }
      // The running gateway still has the old one.
      return isTakenBack ? [] : ["\(name) changed, not applied"]
    }
  }

  /// Every key, with each other word where it takes one, else with another value. The one that takes all links comes
  /// last.
  private static func edits() throws -> [Edit] {
    let all = try ConfigurationEdits.keys.flatMap { path, key -> [Edit] in
      let values: [JSONValue] =
        if case .choice(let words) = key.type {
          words.map { .string($0) }.filter { $0 != key.standard }
        } else {
          [try ConfigurationEdits.other(path, than: key.standard, as: key.type)]
        }
      return values.map { Edit(path: path, key: key, value: $0) }
    }
    return all.filter { $0.concerned?.count ?? 0 < ReloadBench.boards.count }
      + all.filter { $0.concerned?.count ?? 0 >= ReloadBench.boards.count }
  }

  /// Two at a time of those that concern no board and are of different sections, each other one alone: a round costs
  /// half a minute of twenty boards.
  private static func rounds(of edits: [Edit]) -> [[Edit]] {
    var rounds: [[Edit]] = []
    for edit in edits {
      let partner = rounds.lastIndex { round in
        round.count == 1 && round[0].concerned == [] && round[0].section != edit.section
      }
      if edit.concerned == [], let partner { rounds[partner].append(edit) } else { rounds.append([edit]) }
    }
    return rounds
  }

  private static func read(_ edits: [Edit]) throws -> FleetConfiguration {
    var file = ReloadBench.file
    for edit in edits { file = ConfigurationEdits.set(edit.value, at: edit.path, in: file) }
    return try ConfigurationEdits.read(file)
  }

  /// What was reloaded, what came of it, and of its taking back.
  private struct Round: Sendable {
    var edits: [Edit]
    var from, to: FleetConfiguration
    var effects: [ReloadBench.Effect] = []

    var label: String { edits.map(\.label).joined(separator: " and ") }
    var concerned: Set<BoardID>? {
      edits.reduce(Set<BoardID>() as Set<BoardID>?) { all, edit in
        guard let all, let more = edit.concerned else { return nil }
        return all.union(more)
      }
    }
    var reaches: Set<FileKey.Reach> { Set(edits.map(\.reach)) }

    init(_ edits: [Edit]) throws {
      self.edits = edits
      (from, to) = (try EveryKeyWhileStreamingTests.read([]), try EveryKeyWhileStreamingTests.read(edits))
    }

    /// The streams of a board that both files ask for alike.
    func keptStreams(of board: BoardID) -> Set<String> {
      let (old, new) = (Self.streams(of: board, in: from), Self.streams(of: board, in: to))
      return Set(old.keys.filter { old[$0] == new[$0] })
    }

    private static func streams(
      of board: BoardID, in file: FleetConfiguration
    ) -> [String: StreamRequest] {
      let profile = file.boards.first { $0.board == board }?.profile.flatMap { file.profiles[$0] }
      return profile?.streams ?? [:]
    }
  }

  /// Plays the rounds one after the other, each with its taking back. Returns them with what came of it, and all that
  /// was published; `measured` is what boards had measured before the first round that takes all links.
  private static func play(
    _ rounds: [Round], on bench: ReloadBench
  ) -> (rounds: [Round], messages: [MQTTMessage], measured: [BoardID: Int], end: Int)? {
    bench.play { broker in
      var played: [Round] = []
      var (measured, end): ([BoardID: Int], Int) = ([:], 0)
      for var round in rounds {
        if round.concerned?.count ?? 0 < ReloadBench.boards.count {
          (measured, end) = (bench.measured.counts, await broker.mark)
        }
        for configuration in [round.to, round.from] {
          round.effects.append(await bench.reload(configuration, broker))
        }
        await bench.becomeQuiet()
        played.append(round)
      }
      return (played, await broker.published, measured, end)
    }
  }

  /// What is wrong with a round's reloads, whoever is concerned.
  private static func complaints(_ round: Round, _ batches: PublishedBatches) -> [String] {
    guard let concerned = round.concerned else { return ["nobody has said which boards it concerns"] }
    var complaints: [String] = []
    for (effect, isTakenBack) in zip(round.effects, [false, true]) {
      let when = isTakenBack ? "taken back" : "changed"
      if !effect.unlinked.isSubset(of: concerned) || !effect.written.isSubset(of: concerned) {
        complaints.append(
          "\(when): links of \(effect.unlinked.subtracting(concerned)) ended, which it does not concern; \(effect.written.subtracting(concerned)) were written to"
        )
      }
      if !round.reaches.contains(.link), !effect.unlinked.isEmpty {
        complaints.append("\(when): links of \(effect.unlinked) ended")
      }
      for (board, broken) in batches.broken(in: effect.places) where !broken.isEmpty {
        let kept = round.keptStreams(of: board)
        let mayBreak = concerned.contains(board) && round.reaches.contains(.link)
        if !mayBreak, !broken.isDisjoint(with: kept) {
          complaints.append("\(when): \(board) lost samples of \(broken.intersection(kept))")
        }
      }
      let untouched = Set(ReloadBench.boards).subtracting(concerned).count
      if batches.boards(in: effect.places) < untouched { complaints.append("\(when): not all boards stream") }
    }
    return complaints
  }

  @Test func `F201 each key does what is declared of it, to the boards that it concerns, and nothing else`()
    throws
  {
    let bench = try ReloadBench(seed: 1)
    let edits = try Self.edits()
    let outcome = Self.play(try Self.rounds(of: edits).map { try Round($0) }, on: bench)
    let (rounds, messages, measured, end) = try #require(outcome)
    let batches = PublishedBatches(messages)
    #expect(rounds.flatMap(\.edits).map(\.label).sorted() == edits.map(\.label).sorted())
    #expect(edits.count >= ConfigurationEdits.keys.count)
    for round in rounds {
      let complaints = Self.complaints(round, batches)
      #expect(complaints.isEmpty, "\(round.label)")
      for (effect, isTakenBack) in zip(round.effects, [false, true]) {
        let told = round.edits.flatMap { $0.told(isTakenBack: isTakenBack) }
        #expect(effect.told?.sorted() == told.sorted(), "\(round.label)")
      }
    }
    // What may end links does, with one of its values.
    for path in Set(edits.filter { $0.reach == .link }.map(\.path)).sorted() {
      let all = rounds.filter { $0.edits[0].path == path }
      let ended = all.contains { $0.effects[0].unlinked == $0.concerned }
      #expect(ended, "\(path) ends no link")
    }
    // Whom nothing concerned published what it measured, to the last sample but those of the last seconds.
    for board in ReloadBench.boards.dropFirst(ReloadBench.edited.count) {
      let complaint = bench.measured.complaint(
        about: batches.accelerations(of: board, before: end), of: board, count: measured[board] ?? 0, late: 12
      )
      #expect(complaint == nil)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `F201 two keys at once do what is declared of both, to the boards that they concern`(seed: UInt64)
    throws
  {
    let bench = try ReloadBench(seed: seed)
    let edits = try Self.edits()
    var random = SeededGenerator(seed: seed)
    var pairs: [Round] = []
    while pairs.count < 6 {
      let pair = (0..<2).map { _ in edits[Int.random(in: edits.indices, using: &random)] }
      guard pair[0].path != pair[1].path else { continue }
      pairs.append(try Round(pair))
    }
    let outcome = Self.play(pairs, on: bench)
    let (rounds, messages, _, _) = try #require(outcome)
    let batches = PublishedBatches(messages)
    for round in rounds {
      let complaints = Self.complaints(round, batches)
      #expect(complaints.isEmpty, "seed \(seed), \(round.label)")
      let isAnotherBoard = round.edits.contains { $0.path == "boards[].address" }
      for (effect, isTakenBack) in zip(round.effects, [false, true]) {
        let told = round.edits.filter { edit in
          // Of a board that is another one, nothing else is told.
          !isAnotherBoard || edit.path == "boards[].address" || !edit.path.hasPrefix("boards[].")
        }.flatMap { $0.told(isTakenBack: isTakenBack) }
        #expect(effect.told.map(Set.init) == Set(told), "seed \(seed), \(round.label)")
      }
    }
  }
}
