import FleetModel

/// Pins whose changes a verb wanted reported, and how they are pulled for that. Survives links, resets and restarts;
/// ends by the opposite verb, `change: off` (MQTT contract 1.5, 3.9).
struct PinOverlay: Hashable, Sendable {
  private var watched: [UInt8: PinCommand] = [:]

  init() {}

  var isEmpty: Bool { watched.isEmpty }

  /// What sets them up, by pin.
  var commands: [PinCommand] { watched.sorted { $0.key < $1.key }.map(\.value) }

  /// Takes note of a command that was done. A level that is driven begins nothing, and is not kept.
  mutating func note(_ command: PinCommand) {
    guard command.change != .off else {
      watched[command.pin] = nil
      return
    }
    var kept = watched[command.pin] ?? PinCommand(pin: command.pin)
    kept.change = command.change ?? kept.change
    kept.pull = command.pull ?? kept.pull
    if kept.change != nil { watched[command.pin] = kept }
  }
}

extension PinOverlay {
  /// As kept on disk: change and pull by pin.
  var document: JSONObject {
    JSONObject(
      commands.map { command in
        var entry = JSONObject()
        entry["change"] = command.change.map { .string($0.rawValue) }
        entry["pull"] = command.pull.map { .string($0.rawValue) }
        return ("\(command.pin)", .object(entry))
      })
  }

  /// Reads what was kept; what is no pin's is dropped.
  init(document: JSONObject) {
    for (key, entry) in document.members {
      guard let pin = UInt8(key), let change = entry.object?["change"]?.string.flatMap(PinCommand.Change.init)
      else { continue }
      note(
        PinCommand(
          pin: pin, pull: entry.object?["pull"]?.string.flatMap(PinCommand.Pull.init), change: change))
    }
  }
}
