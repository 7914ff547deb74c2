import BoardKit
import FleetModel

/// Reads the streams that boards tell on demand: polls and the `read` command share it.
struct StreamReader {
  let exchange: Exchange
  let inventory: Inventory
  let registers: RegisterReader

  /// Reads a stream of the catalogue once: one value per field, or the one of a component.
  func read(_ request: StreamRequest) async throws(CommandFailure) -> [Double] {
    let sources = StreamSources(on: inventory)
    guard let (definition, component) = StreamCatalogue.find(request.name), definition.isReadable,
      let index = sources.index(for: definition),
      let question = try sources.all[index].question(for: definition, request.configuration)
    else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) cannot read \(request.name)")
    }
    let values: [Double]
    do {
      values = try await answer(to: question, about: definition.name)
    } catch {
      if case .silent = error, let silence = question.silence { throw silence }
      throw CommandFailure(error)
    }
    guard let component else { return values }
    return values.indices.contains(component) ? [values[component]] : []
  }

  /// Writes what the answer depends on, once more where it got lost (fault F108). Older firmware does not tell what it
  /// holds.
  private func prepare(
    _ question: SensorQuestion, about stream: String
  ) async throws(ProtocolFailure) {
    guard let setting = question.setting else {
      for command in question.prepare { try await exchange.write(command) }
      return
    }
    guard let onBoard = try await registers.write(question.prepare, proving: setting) else { return }
    throw .unexpected(setting.words(of: stream, holding: onBoard))
  }

  /// Prepares the sensor where it needs that, and asks. Somebody else's sensor that runs is left alone: only one that
  /// said it was off is switched off again.
  private func answer(
    to question: SensorQuestion, about stream: String
  ) async throws(ProtocolFailure) -> [Double] {
    try await prepare(question, about: stream)
    var wasOn: Bool?
    if let warmUp = question.warmUp {
      wasOn = try await exchange.probe(warmUp.status).flatMap(warmUp.isOn)
      if wasOn != true {
        try await exchange.write(warmUp.on)
        try await exchange.wait(for: warmUp.time)
      }
    }
    let reply = try await exchange.ask(
      question.register.read(question.arguments), answer: question.answer)
    guard let values = question.values(reply) else { throw .unreadable(reply, as: stream) }
    if let warmUp = question.warmUp, wasOn == false { try await exchange.write(warmUp.off) }
    return values
  }
}
