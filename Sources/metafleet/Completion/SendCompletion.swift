import Dialects
import FleetModel

/// What may stand where in a `send`: whom, what, and its arguments. Options are the argument parser's business.
struct SendCompletion: Sendable {
  let line: CompletionLine

  /// Options of `send` that have a value.
  private static let valued: Set<String> = [
    "--mode", "--expires", "--id", "--file", "--host", "--port", "--username", "--password-file", "--base",
    "--config",
  ]

  /// What is typed of target, verb and arguments before the unfinished word.
  private var positionals: [String] {
    var found: [String] = []
    var isValue = false
    let typed = line.words.drop { $0 != "send" }.dropFirst()
    for word in typed {
      if isValue {
        isValue = false
      } else if word.hasPrefix("--") {
        isValue = Self.valued.contains(word)
      } else {
        found.append(word)
      }
    }
    return found
  }

  /// The options about the broker, as they were typed.
  var brokerOptions: [String] {
    zip(line.words, line.words.dropFirst()).flatMap { option, value in
      Self.valued.contains(option) && !["--mode", "--expires", "--id", "--file"].contains(option)
        ? [option, value] : []
    }
  }

  /// Whether the boards of the fleet are wanted.
  var wantsTarget: Bool { positionals.isEmpty }

  /// What fits; `fleet` is what the broker knows.
  func candidates(in fleet: FleetView?) -> [String] {
    let typed = positionals
    guard let target = typed.first else { return fleet.map(TargetCompletion.targets) ?? [] }
    let addressee: VerbDefinition.Addressee = target.hasPrefix("gateway:") ? .gateway : .board
    guard typed.count > 1 else { return VerbCatalogue.builtNames(for: addressee) }
    guard let verb = VerbCatalogue.find(typed[1], for: addressee) else { return [] }
    return ArgumentCompletion(verb: verb, given: Array(typed.dropFirst(2))).candidates(for: line.unfinished)
  }
}

/// Names of a fleet that commands take.
enum TargetCompletion {
  /// Boards, groups and gateways.
  static func targets(of fleet: FleetView) -> [String] {
    boards(of: fleet) + (fleet.groups + ["all"]).map { "group:\($0)" }
      + gateways(of: fleet).map { "gateway:\($0)" }
  }

  /// What `forget` takes.
  static func forgettable(of fleet: FleetView) -> [String] {
    let gone = fleet.gateways.filter { !$0.value.isOnline }.keys.sorted().filter(isPlain)
    let missing = fleet.gateways.values.flatMap(\.adapters.values).filter { $0[.state] == "missing" }
    return boards(of: fleet) + gone.map { "gateway:\($0)" }
      + missing.compactMap { $0[.adapter].map { "adapter:\($0)" } }.sorted()
  }

  static func gateways(of fleet: FleetView) -> [String] { fleet.gateways.keys.sorted().filter(isPlain) }

  /// Profiles that boards have; one that no board has is only known to its gateway.
  static func profiles(of fleet: FleetView) -> [String] {
    Set(fleet.boards.values.compactMap { $0.info?[.profile] }).sorted().filter(isPlain)
  }

  /// Boards by name; by id where a name is another board's, too.
  static func boards(of fleet: FleetView) -> [String] {
    let names = Dictionary(grouping: fleet.sorted, by: \.name)
    return fleet.sorted.map { board in
      names[board.name]?.count == 1 && isPlain(board.name) ? board.name : board.id.description
    }
  }

  /// A name from the air may hold anything; a shell is given what it can show.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy(PrintableText.isPrintable)
  }
}
