/// Something that is there for a while and must be ended, whatever happens meanwhile.
protocol Temporary: Sendable {
  /// Ends it and waits until nothing of it is left.
  func stop() async
}

extension Temporary {
  /// Runs `body`, then ends this, also when `body` fails.
  func use<Result: Sendable>(_ body: (Self) async throws -> Result) async throws -> Result {
    do {
      let result = try await body(self)
      await stop()
      return result
    } catch {
      await stop()
      throw error
    }
  }
}
