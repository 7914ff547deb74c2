import BoardKit
import FleetModel

/// What is worth remembering of a board's program between links: which slots are ours, with what we put there, and its
/// macros. What stands in a slot by then is ours only where it is still the same.
struct ProgramMemory: Hashable, Sendable {
  /// One slot of ours.
  struct Place: Hashable, Sendable {
    var slot: UInt8
    /// The packets that made what it holds.
    var contents: [UInt8]
  }

  /// One macro of ours.
  struct StoredMacro: Hashable, Sendable {
    var slot: UInt8
    var macro: Macro
  }

  /// What the board said of itself when it was learnt.
  struct Origin: Hashable, Sendable {
    var firmware = ""
    var hardware = ""
    var model = ""
  }

  var origin = Origin()
  /// Kinds of slots of which this board was heard to tell. Silence about others proves nothing.
  var answered: Set<ResourceKey.Kind> = []
  /// The same of its macros.
  var answersMacros = false
  /// What its firmware never answers, by the words of the `read` verb.
  var unanswered: Set<String> = []
  /// By how much it thins its samples out, as its register holds it; nil where nobody had it do so since its start.
  var downsampling: UInt8?
  var places: [ResourceKey: Place] = [:]
  /// By our names, which are unique.
  var macros: [String: StoredMacro] = [:]

  /// Whether there is nothing to remember.
  var isEmpty: Bool { places.isEmpty && macros.isEmpty && unanswered.isEmpty && downsampling == nil }

  init() {}

  /// What of it still holds for a board that is `origin` now: nothing behind another firmware, hardware or model;
  /// behind a reset the macros and the loggers alone, which are in flash (protocol reference, section 16.2). What
  /// stands in the other slots then was put there by somebody else, such as a macro that runs at start, be it equal to
  /// ours.
  func valid(for origin: Origin, isReset: Bool) -> ProgramMemory {
    var valid = ProgramMemory()
    valid.origin = origin
    guard self.origin == origin else { return valid }
    (valid.answered, valid.answersMacros, valid.macros) = (answered, answersMacros, macros)
    valid.places = isReset ? places.filter { $0.key.kind == .loggers } : places
    valid.unanswered = isReset ? [] : unanswered
    valid.downsampling = isReset ? nil : downsampling
    return valid
  }

  /// The slots that still hold what we put there.
  func owned(in onBoard: BoardResources) -> ResourceSlots {
    var owned = ResourceSlots()
    for (key, place) in places where onBoard.holds(place.contents, key.kind, place.slot) {
      owned[key] = place.slot
    }
    return owned
  }
}

extension ProgramMemory.Origin {
  init(_ board: Inventory) {
    let description = board.description
    self.init(
      firmware: description.firmwareRevision, hardware: description.hardwareRevision,
      model: description.modelNumber)
  }
}

extension BoardResource {
  /// All packets that make it, one behind the other.
  var contents: [UInt8] { commands.flatMap(\.self) }
}

/// As kept on disk: a version, firmware, hardware and model, what it tells as bits, then per entry its kind, its name,
/// its place among those of the name, its slot and its contents; texts and contents are preceded by their lengths. What
/// it never answers is a name alone, how it thins out contents alone. Of a macro the first entry tells in the place of
/// the place whether it runs at start; each of its commands is one more.
extension ProgramMemory {
  /// Grows when the layout changes; a record of another version is as good as none.
  private static let version: UInt8 = 2
  private static let macrosBit: UInt8 = 0x80

  private enum Kind: UInt8 { case macro, processor, timer, event, command, logger, unanswered, downsampling }

  /// The record; empty where there is nothing to remember.
  var encoded: [UInt8] {
    guard !isEmpty else { return [] }
    var record = [Self.version]
    func add(_ bytes: [UInt8]) { record += [UInt8(clamping: bytes.count)] + bytes.prefix(255) }
    func add(_ kind: Kind, _ name: String, _ place: Int, _ slot: UInt8, _ contents: [UInt8]) {
      record.append(kind.rawValue)
      add(Array(name.utf8))
      record += [UInt8(clamping: place), slot]
      add(contents)
    }
    for text in [origin.firmware, origin.hardware, origin.model] { add(Array(text.utf8)) }
    record.append(
      ResourceKey.Kind.allCases.enumerated().reduce(answersMacros ? Self.macrosBit : 0) { bits, kind in
        answered.contains(kind.element) ? bits | 1 << UInt8(kind.offset) : bits
      })
    for (key, place) in places.sorted(by: { $0.value.contents.lexicographicallyPrecedes($1.value.contents) })
    {
      switch key {
      case .processor(let name, let index): add(.processor, name, index, place.slot, place.contents)
      case .timer(let name): add(.timer, name, 0, place.slot, place.contents)
      case .event(let name, let index): add(.event, name, index, place.slot, place.contents)
      case .logger(let name, let index): add(.logger, name, index, place.slot, place.contents)
      }
    }
    for (name, stored) in macros.sorted(by: { $0.key < $1.key }) {
      add(.macro, name, stored.macro.isRunAtBoot ? 1 : 0, stored.slot, [])
      for (index, command) in stored.macro.commands.enumerated() {
        add(.command, name, index, stored.slot, command)
      }
    }
    for name in unanswered.sorted() { add(.unanswered, name, 0, 0, []) }
    if let downsampling { add(.downsampling, "", 0, 0, [downsampling]) }
    return record
  }

  /// Reads a record; empty unless it is whole and of this version.
  init(_ record: [UInt8]) {
    var rest = record[...]
    guard rest.popFirst() == Self.version else { return }
    func bytes() -> [UInt8]? {
      guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return Array(rest.prefix(Int(length)))
    }
    func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
    var read = ProgramMemory()
    guard let firmware = text(), let hardware = text(), let model = text(), let bits = rest.popFirst() else {
      return
    }
    read.answersMacros = bits & Self.macrosBit != 0
    for (offset, kind) in ResourceKey.Kind.allCases.enumerated() where bits >> UInt8(offset) & 1 != 0 {
      read.answered.insert(kind)
    }
    read.origin = Origin(firmware: firmware, hardware: hardware, model: model)
    while let number = rest.popFirst() {
      guard let kind = Kind(rawValue: number), let name = text(), let index = rest.popFirst(),
        let slot = rest.popFirst(), let contents = bytes()
      else { return }
      let place = Place(slot: slot, contents: contents)
      switch kind {
      case .macro:
        read.macros[name] = StoredMacro(slot: slot, macro: Macro(isRunAtBoot: index == 1, commands: []))
      case .command: read.macros[name]?.macro.commands.append(contents)
      case .processor: read.places[.processor(name, Int(index))] = place
      case .timer: read.places[.timer(name)] = place
      case .event: read.places[.event(name, Int(index))] = place
      case .logger: read.places[.logger(name, Int(index))] = place
      case .unanswered: read.unanswered.insert(name)
      case .downsampling: read.downsampling = contents.first
      }
    }
    self = read
  }
}

extension ProgramMemory {
  /// The macros that run at a start before the one of this name, in the order of their slots; all where there is none
  /// of it: boards give the lowest slot first, and none is erased alone.
  func startMacros(before name: String) -> [Macro] {
    let own = macros[name].map { Int($0.slot) } ?? .max
    return macros.values.filter { Int($0.slot) < own && $0.macro.isRunAtBoot }.sorted { $0.slot < $1.slot }
      .map(\.macro)
  }
}
