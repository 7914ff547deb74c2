import Dialects
import FleetModel

/// What may stand where in a `send`: whom, what, and its arguments. Options are the argument parser's business.
struct SendCompletion: Sendable {
  let line: CompletionLine

  /// Options of `send` that have a value.
  private static let valued = brokerValued.union(["--mode", "--expires", "--id", "--file"])

  /// Those about the broker, of all commands.
  private static let brokerValued: Set<String> = [
    "--host", "--port", "--ca", "--cert", "--key", "--username", "--password-file", "--base", "--config",
  ]
  private static let brokerFlags: Set<String> = ["--tls", "--no-tls"]

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
    line.words.filter(Self.brokerFlags.contains)
      + zip(line.words, line.words.dropFirst()).flatMap { option, value in
        Self.brokerValued.contains(option) ? [option, value] : []
      }
  }

  /// Whether names of the fleet are wanted: of boards, or of what arguments name.
  var wantsFleet: Bool { positionals.isEmpty || positionals.count > 1 && !namedKeys.isEmpty }

  /// Arguments of the verb whose values are names: keys of profiles and of groups.
  private var namedKeys: [(key: String, isProfile: Bool)] {
    guard positionals.count > 1, let verb = VerbCatalogue.find(positionals[1], for: addressee) else {
      return []
    }
    return verb.parameters.compactMap { parameter in
      guard case .name = parameter.type else { return nil }
      let isProfile = parameter.name == "profile" || verb.name == "profile" && parameter.name == "name"
      return isProfile ? (parameter.name, true) : parameter.name == "group" ? (parameter.name, false) : nil
    }
  }

  private var addressee: VerbDefinition.Addressee {
    guard let target = positionals.first else { return .board }
    return target.hasPrefix("gateway:") ? .gateway : target.hasPrefix("group:") ? .group : .board
  }

  /// What fits; `fleet` is what the broker knows, `profiles` what the configuration file does.
  func candidates(in fleet: FleetView?, profiles: [String] = []) -> [String] {
    let typed = positionals
    guard !typed.isEmpty else { return fleet.map(TargetCompletion.targets) ?? [] }
    guard typed.count > 1 else { return VerbCatalogue.names(for: addressee) }
    guard let verb = VerbCatalogue.find(typed[1], for: addressee) else { return [] }
    let words = ArgumentCompletion(verb: verb, given: Array(typed.dropFirst(2))).candidates(
      for: line.unfinished)
    return namedKeys.reduce(words) { words, named in
      let names = named.isProfile ? TargetCompletion.profiles(of: fleet, profiles) : fleet?.groups ?? []
      guard !names.isEmpty, words.contains("\(named.key)=") else { return words }
      return words.filter { $0 != "\(named.key)=" } + names.map { "\(named.key)=\($0)" }
    }
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

  /// Profiles that boards have, and those of a configuration file; one that no board has is only known to its gateway.
  static func profiles(of fleet: FleetView?, _ others: [String] = []) -> [String] {
    let ofBoards = fleet?.boards.values.compactMap { $0.info?[.profile] } ?? []
    return Set(ofBoards + others).sorted().filter(isPlain)
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
