/// Why a command was not done: what its sender learns (MQTT contract 6).
public struct CommandFailure: Error, Hashable, Sendable {
  /// The closed list of reasons. Text is for people, the code is for programs.
  public enum Code: String, Sendable, CaseIterable {
    case unreachable, expired, busy, invalid, denied, retained
    case duplicateIDMismatch = "duplicate-id-mismatch"
    case undownloadedData = "undownloaded-data"
    case lowBattery = "low-battery"
    case noSlots = "no-slots"
    case unsupported
    case boardError = "board-error"
    /// The broker did not acknowledge what had to be published first.
    case notPublished = "not-published"
    case `internal`
  }

  /// The reason.
  public var code: Code
  /// One sentence for a person: what is wrong and what to do.
  public var message: String
  /// With `busy`: when to try again.
  public var retryAfter: Duration?
  /// Partial results, where there are any.
  public var data: JSONObject

  /// When to try again what is `busy` for a time that nobody knows: soon for a person, seldom for a program.
  public static let usualStay = Duration.seconds(60)

  /// States a failure; `busy` without `retryAfter` is for `usualStay`.
  public init(
    _ code: Code, _ message: String, retryAfter: Duration? = nil, data: JSONObject = JSONObject()
  ) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter ?? (code == .busy ? Self.usualStay : nil)
    self.data = data
  }

  /// The request itself is wrong.
  public static func invalid(_ message: String) -> CommandFailure { CommandFailure(.invalid, message) }
}

extension CommandFailure: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}
