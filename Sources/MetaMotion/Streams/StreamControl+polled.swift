import BoardKit
import FleetModel

/// Streams that are read, but whose values go by a setting on the board (fault F108).
extension StreamControl {
  /// Writes those settings and looks at them: a stream of another setting is refused, one of which the board does not
  /// tell the setting is in doubt.
  func provingPolled(
    _ applied: StreamsApplied, on inventory: Inventory
  ) async throws(ProtocolFailure) -> StreamsApplied {
    var result = applied
    let sources = StreamSources(on: inventory)
    for (index, stream) in applied.active.enumerated().reversed() where stream.isPolled {
      guard let definition = StreamCatalogue.find(stream.request.name)?.stream,
        let source = sources.index(for: definition),
        let question = try? sources.all[source].question(for: definition, stream.request.configuration),
        let setting = question.setting
      else { continue }
      if let onBoard = try await registers.write(question.prepare, proving: setting) {
        result.active.remove(at: index)
        result.refused[stream.key] = CommandFailure(
          .boardError, setting.words(of: definition.name, holding: onBoard))
      } else if registers.isUntold(setting) {
        result.active[index].doubts.insert(.configUnverified)
      }
    }
    if result.active.contains(where: { $0.doubts.contains(.configUnverified) }) {
      result.evidence = .linkWrite
    }
    return result
  }
}

extension SensorRun.ReadBack {
  /// For people: what is held instead.
  func words(of name: String, holding onBoard: [UInt8]) -> String {
    "\(name) holds \(onBoard.hex) in register \([register.module.rawValue, register.number].hex) although "
      + "\(payload.hex) was written twice; reset the board"
  }
}
