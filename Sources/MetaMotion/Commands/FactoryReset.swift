import BoardKit
import FleetModel

/// Makes a board like new (MQTT contract 3.10; protocol reference, section 32).
///
/// This is the half before the restart; whoever sees the board come back reads whether it worked.
struct FactoryReset {
  let exchange: Exchange
  /// Of the logging module.
  let logRevision: UInt8

  /// Erases unless that loses log entries nobody gave up: `discard` must be their exact number.
  func erase(discarding discard: Int64?) async throws(ProtocolFailure) -> CommandOutcome {
    // Asked before anything is written, so that a refusal leaves a board that logs alone.
    if let refusal = Self.refusal(of: discard, entries: try await entries()) { return .failed(refusal) }
    let isLogging = LogMemory.isLogging(try await exchange.ask(LogMemory.logging)) ?? false
    if isLogging { try await exchange.write(LogMemory.stop) }
    let hasOpenPage = logRevision >= LogMemory.firstRevisionWithFlush
    if hasOpenPage { try await exchange.write(LogMemory.flush) }
    // What came in while we asked, or waited in memory for its page to be full, was not given up.
    if isLogging || hasOpenPage, let refusal = Self.refusal(of: discard, entries: try await entries()) {
      if isLogging { try await exchange.write(LogMemory.logging.write(1)) }
      return .failed(refusal)
    }
    for command in Teardown.factoryReset { try await exchange.write(command) }
    return try await DisconnectingCommands(exchange: exchange).leave(by: Debug.disconnect)
  }

  private func entries() async throws(ProtocolFailure) -> Int64 {
    let reply = try await exchange.ask(LogClock.length)
    guard let count = LogClock.length(reply) else { throw .unreadable(reply, as: "the length of the log") }
    return Int64(count)
  }

  /// Why `discard` does not do for a log of so many entries; nil when it does. An empty log loses nothing.
  static func refusal(of discard: Int64?, entries: Int64) -> CommandFailure? {
    guard entries > 0, discard != entries else { return nil }
    return CommandFailure(
      .undownloadedData,
      "\(CountText.entries(Int(entries))) not downloaded yet; download them, or send discard=\(entries)",
      data: ["entries": .integer(entries)])
  }
}
