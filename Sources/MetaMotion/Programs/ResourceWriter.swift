import BoardKit
import FleetModel

/// Fills and empties slots, and looks what they say of it: nothing is called done because it was written.
struct ResourceWriter {
  let exchange: Exchange

  /// What one slot says.
  private enum SlotAnswer: Hashable {
    case empty
    case taken([UInt8])
    /// Proves nothing.
    case silent
  }

  /// After so many silences the slots of a removal are asked no more: such firmware tells nothing of empty ones (trap
  /// T14), and each question costs a second.
  private static let mostSilences = 2

  /// Asks what stands in a slot.
  private func read(_ kind: ResourceKey.Kind, _ slot: UInt8) async throws(ProtocolFailure) -> SlotAnswer {
    let question = kind.creation.read(slot)
    guard let reply = try await exchange.probe(question, answer: kind.creation.answer()) else {
      return .silent
    }
    return kind.isEmpty(reply) ? .empty : .taken(reply)
  }

  /// Removes what stands in slots, unless one packet did so for all of them, reads each, and removes once more what is
  /// still there. `gone` takes what the board was
  /// not seen to keep: a slot that keeps it stays in our books, and is tried again with the next change. Returns
  /// whether all slots said that they are empty.
  func empty(
    _ removals: [ProgramPlan.Removal], isWritten: Bool = false, gone: (ResourceKey) -> Void = { _ in }
  ) async throws(ProtocolFailure) -> Bool {
    if !isWritten { for removal in removals { try await exchange.write(removal.command) } }
    var silences = 0
    for removal in removals {
      if silences < Self.mostSilences {
        silences += try await isEmptied(removal) ? 0 : 1
      }
      gone(removal.key)
    }
    return silences == 0
  }

  /// Whether the board says that the slot of what was removed is empty; throws where it is not. Silence proves nothing.
  func isEmptied(_ removal: ProgramPlan.Removal) async throws(ProtocolFailure) -> Bool {
    var answer = try await read(removal.key.kind, removal.slot)
    if case .taken = answer {
      // A write without response may be lost.
      try await exchange.write(removal.command)
      answer = try await read(removal.key.kind, removal.slot)
    }
    if case .taken(let reply) = answer {
      throw .unexpected(
        "slot \(removal.slot) of \(removal.key.kind.rawValue) should be empty, but contains \(reply.hex)")
    }
    return answer == .empty
  }

  /// Creates something and returns its slot. What the board leaves unanswered is looked for in the slots that were not
  /// in use: there, it is made; not there, it is not; where no slot tells anything, nobody knows.
  func create(
    _ resource: BoardResource, _ kind: ResourceKey.Kind, on board: Inventory, notIn used: Set<UInt8>
  ) async throws(ProtocolFailure) -> UInt8 {
    do {
      return try await exchange.create(resource.commands, answer: kind.creation)
    } catch .silent(let question, let limit) {
      let onBoard = try await ResourceReader(exchange: exchange, inventory: board).resources(of: kind)
      guard onBoard.answered.contains(kind) else { throw .silent(question: question, after: limit) }
      if let slot = onBoard.slots(holding: resource).first(where: { !used.contains($0) }) { return slot }
      throw .unexpected(
        "the board gave no answer within \(DurationText.format(limit)), and no slot of \(kind.rawValue) "
          + "holds what was to be created")
    }
  }

  /// Whether the board tells what was written, of what can be proved so; throws where it tells something else.
  func readsBack(_ resource: BoardResource, _ slot: UInt8) async throws(ProtocolFailure) -> Bool {
    let (creation, command, name): (Register, [UInt8], String)
    switch resource {
    case .processor(let definition):
      (creation, command, name) = (Processor.creation, definition.command, "processor")
    case .logger(let logger): (creation, command, name) = (LoggerEntry.creation, logger.command, "logger")
    case .timer, .event: return true
    }
    guard let reply = try await exchange.probe(creation.read(slot), answer: creation.answer()) else {
      return false
    }
    guard reply.dropFirst(2).starts(with: command.dropFirst(2)) else {
      throw .unexpected("\(name) \(slot) holds \(reply.hex) instead of \(command.hex)")
    }
    return true
  }
}

extension ResourceKey.Kind {
  /// Whether the answer to a read of a slot says that nothing stands there.
  func isEmpty(_ reply: [UInt8]) -> Bool {
    reply.count <= 2 || reply[2...].allSatisfy { $0 == 0xFF } || (self == .timers && BoardTimer(reply) == nil)
  }
}
