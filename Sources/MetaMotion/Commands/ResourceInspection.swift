import BoardKit
import FleetModel

/// Reads what stands in the slots of a board, whoever put it there (MQTT contract 3.3).
struct ResourceInspection {
  let exchange: Exchange
  let inventory: Inventory
  /// Knows which slots are ours, and by what names.
  let programs: ProgramControl

  func read(_ request: ReadRequest) async throws(CommandFailure) -> JSONObject {
    if request.what == "processor" { return try await processor(request.selectors) }
    do throws(ProtocolFailure) {
      return try await listing().json
    } catch {
      throw CommandFailure(error)
    }
  }

  /// What is taken, and what of it is not ours.
  func survey() async throws(ProtocolFailure) -> SlotUsage { try await listing().survey }

  private func listing() async throws(ProtocolFailure) -> ResourceListing {
    // Others may have changed it since we looked.
    programs.forgetResources()
    let recovery = try await recover()
    let onBoard = try await programs.resources(on: inventory)
    let macros = try await programs.compareMacros(on: inventory) ?? programs.rememberedHeaders
    return ResourceListing(
      onBoard: onBoard, recovery: recovery, macros: macros, owned: programs.owned, ownMacros: programs.macros)
  }

  /// Follows the signals of all loggers to their roots (protocol reference, section 31).
  func recover() async throws(ProtocolFailure) -> SignalRecovery {
    var recovery = SignalRecovery(inventory)
    while let question = recovery.question {
      recovery.take(
        try await exchange.probe(
          question.register.read(question.selector), answer: question.register.answer()))
    }
    return recovery
  }

  /// What one processor keeps, in the fields of its output as far as its way can be followed.
  private func processor(_ selectors: JSONObject) async throws(CommandFailure) -> JSONObject {
    guard inventory.has(.processor) else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no processors")
    }
    let onBoard: BoardResources
    let scales: SignalScales
    do throws(ProtocolFailure) {
      onBoard = try await programs.resources(on: inventory)
      scales = try await self.scales()
    } catch {
      throw CommandFailure(error)
    }
    let slot = try slot(selectors)
    guard onBoard.taken(.processors).contains(slot) else {
      throw .invalid("slot \(slot) of processors is empty")
    }
    let reply: [UInt8]
    do throws(ProtocolFailure) { reply = try await exchange.ask(Processor.state, slot) } catch {
      throw CommandFailure(error)
    }
    let bytes = Processor.state(reply, of: slot) ?? []
    let graph = ProcessorGraph(slots: onBoard.processors, chip: inventory.accelerometer?.chip, scales: scales)
    let layout = graph.layout(at: .state(ofProcessor: slot))
    return ProcessorState(bytes, layout: layout, chain: selectors["name"]?.string).json
  }

  /// The last processor of a chain of ours, or any slot.
  private func slot(_ selectors: JSONObject) throws(CommandFailure) -> UInt8 {
    if let number = selectors["processor"]?.integer { return UInt8(clamping: number) }
    let name = selectors["name"]?.string ?? ""
    guard let slot = programs.owned.lastProcessor(of: name) else {
      throw programs.owned.missing(chain: name)
    }
    return slot
  }

  /// Ranges decide what counts mean.
  private func scales() async throws(ProtocolFailure) -> SignalScales {
    var scales = SignalScales()
    for range in SensorModules.ranges where inventory.has(range.settings.module) {
      let reply = try await exchange.probe(range.settings)
      scales.learn(range.settings, Array((reply ?? []).dropFirst(2)), on: inventory.accelerometer?.chip)
    }
    return scales
  }
}
