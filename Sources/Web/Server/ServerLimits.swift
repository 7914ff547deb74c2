/// What the outside may ask of a server (faults F226, F227, F229 and F239).
package struct ServerLimits: Hashable, Sendable {
  /// Connections at a time; others wait until the kernel has no room for them.
  package var connections: UInt32 = 64
  /// Of one address; more are closed.
  package var connectionsPerAddress: UInt32 = 32
  /// How long nothing may come or go on a connection, in seconds.
  package var idleSeconds: UInt32 = 5
  /// The same of a stream or a file, whose reader may have something else to do.
  package var idleSecondsOfFlows: UInt32 = 60
  /// Bytes of a connection; a request whose headers need more is refused.
  package var memory = 32_768
  /// How long a request and its answer may take, however busy the connection is. Streams and files have no such end.
  package var longestRequest = Duration.seconds(30)
  /// How long a request waits for its page.
  package var longestWait = Duration.seconds(10)
  /// How long it waits for an answer of its own, which may have to be worked out.
  package var longestAnswer = Duration.seconds(120)
  /// Answers of their own that are awaited at a time.
  package var answers = 16

  package init() {}
}
