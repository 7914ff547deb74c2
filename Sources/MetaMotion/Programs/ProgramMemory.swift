import BoardKit

/// What is worth remembering of a board's program between links: which slots are ours, with what we put there, and the
/// names of its macros. What stands in a slot by then is ours only where it is still the same.
struct ProgramMemory: Hashable, Sendable {
  /// One slot of ours.
  struct Place: Hashable, Sendable {
    var slot: UInt8
    /// The packets that made what it holds.
    var contents: [UInt8]
  }

  var places: [ResourceKey: Place] = [:]
  /// Slots of macros by our names.
  var macros: [String: UInt8] = [:]

  /// Whether there is nothing to remember.
  var isEmpty: Bool { places.isEmpty && macros.isEmpty }

  init() {}

  /// The slots that still hold what we put there.
  func owned(in held: BoardResources) -> ResourceSlots {
    var owned = ResourceSlots()
    for (key, place) in places {
      guard held.resource(key.kind, place.slot)?.contents == place.contents else { continue }
      owned[key] = place.slot
    }
    return owned
  }
}

extension BoardResource {
  /// All packets that make it, one behind the other.
  var contents: [UInt8] { commands.flatMap(\.self) }
}

/// As kept on disk: a version, then per entry its kind, its name, its place among those of the name, its slot and its
/// contents; name and contents are preceded by their lengths.
extension ProgramMemory {
  /// Grows when the layout changes; a record of another version is as good as none.
  private static let version: UInt8 = 1
  private static let macroKind: UInt8 = 0

  /// The record; empty where there is nothing to remember.
  var encoded: [UInt8] {
    guard !isEmpty else { return [] }
    var record = [Self.version]
    func add(_ kind: UInt8, _ name: String, _ place: Int, _ slot: UInt8, _ contents: [UInt8]) {
      let name = Array(name.utf8.prefix(255))
      record += [kind, UInt8(name.count)] + name
      record += [UInt8(clamping: place), slot, UInt8(clamping: contents.count)] + contents.prefix(255)
    }
    for (key, place) in places.sorted(by: { $0.value.contents.lexicographicallyPrecedes($1.value.contents) })
    {
      switch key {
      case .processor(let name, let index): add(1, name, index, place.slot, place.contents)
      case .timer(let name): add(2, name, 0, place.slot, place.contents)
      case .event(let name, let index): add(3, name, index, place.slot, place.contents)
      }
    }
    for (name, slot) in macros.sorted(by: { $0.key < $1.key }) { add(Self.macroKind, name, 0, slot, []) }
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
    var read = ProgramMemory()
    while let kind = rest.popFirst() {
      guard let text = bytes(), let index = rest.popFirst(), let slot = rest.popFirst(),
        let contents = bytes()
      else { return }
      let name = String(decoding: text, as: UTF8.self)
      let place = Place(slot: slot, contents: contents)
      switch kind {
      case Self.macroKind: read.macros[name] = slot
      case 1: read.places[.processor(name, Int(index))] = place
      case 2: read.places[.timer(name)] = place
      case 3: read.places[.event(name, Int(index))] = place
      default: return
      }
    }
    self = read
  }
}
