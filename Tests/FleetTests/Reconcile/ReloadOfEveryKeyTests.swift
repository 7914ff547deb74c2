import Support
import Testing

@testable import Fleet
@testable import FleetModel

/// A file is read again with another value of one key, for every key there is, and of two: what is said of that and
/// what becomes of the gateway's picture of itself is what is declared of the keys (MQTT contract 7).
@Suite struct ReloadOfEveryKeyTests {
  private static let keys = ConfigurationEdits.keys

  private static let profile: JSONObject = ["stream": ["acceleration": [:]], "visit": ["every": "1h"]]
  private static let file: JSONValue = [
    "http": ["token_file": "/token"],
    "profiles": ["p": .object(profile), "q": ["button": false]], "boards": [["address": "c0ffee000001"]],
  ]

  private static func read(_ paths: [String]) throws -> FleetConfiguration {
    try ConfigurationEdits.read(ConfigurationEdits.edited(file, at: paths))
  }

  private static func isLive(_ path: String) -> Bool {
    keys.first { $0.path == path }?.key.file?.reload == .live
  }

  @Test(arguments: keys.map(\.path))
  func `what is said and done is what is declared`(path: String) throws {
    let (old, new) = (try Self.read([]), try Self.read([path]))
    #expect(new.document != old.document, "\(path) reaches nobody")
    let change = ConfigurationChange(from: old, to: new)
    let told = Self.isLive(path) ? change.changed : change.needsRestart
    #expect(told.count == 1 && told.allSatisfy { path.replacing("[]", with: "").hasPrefix($0) }, "\(told)")
    #expect((Self.isLive(path) ? change.needsRestart : change.changed).isEmpty)
    #expect(change.applied == (Self.isLive(path) ? new : old))
    #expect(change.keys == Self.told([path]))
  }

  /// What an answer lists of these edits.
  private static func told(_ paths: [String]) -> [ChangedKey] {
    let isAnotherBoard = paths.contains("boards[].address")
    var told: [ChangedKey] = []
    for (path, _) in keys where paths.contains(path) {
      if path == "boards[].address" {
        told.append(ChangedKey(path: "boards[c0ffee000001]", change: .removed, isApplied: true))
        told.append(ChangedKey(path: "boards[c0ffee000002]", change: .added, isApplied: true))
        continue
      }
      if isAnotherBoard, path.hasPrefix("boards[]") { continue }
      // Its rules have no names of their own.
      let name = path.hasPrefix("commands.allow") ? "commands.allow" : path
      let key = ChangedKey(
        path: name.replacing("<name>", with: "p").replacing("[]", with: "[c0ffee000001]"), change: .changed,
        isApplied: isLive(path))
      if told.last != key { told.append(key) }
    }
    return told
  }

  /// Two keys at once, chosen by a seed that stands in every failure.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `two keys at once have the effects of both, and no other`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let paths = Self.keys.map(\.path)
    let old = try Self.read([])
    for _ in 0..<100 {
      let pair = (0..<2).map { _ in paths[Int.random(in: paths.indices, using: &random)] }
      guard pair[0] != pair[1] else { continue }
      let change = ConfigurationChange(from: old, to: try Self.read(pair))
      #expect(change.keys == Self.told(pair), "seed \(seed), \(pair)")
      let applied = try Self.read(pair.filter(Self.isLive))
      #expect(change.applied == applied, "seed \(seed), \(pair)")
      #expect(change.changed.isEmpty == !pair.contains(where: Self.isLive), "seed \(seed), \(pair)")
      #expect(change.needsRestart.isEmpty == pair.allSatisfy(Self.isLive), "seed \(seed), \(pair)")
    }
  }

  @Test func `F251 only who the gateway is, its topics and where its state is wait for a restart`() {
    let restarts = Self.keys.filter { $0.key.file?.reload == .restart }.map(\.path)
    #expect(restarts == ["gateway.id", "mqtt.base", "storage.directory"])
  }
}
