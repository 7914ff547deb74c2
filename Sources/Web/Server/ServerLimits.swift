/// What the outside may ask of a server (faults F226, F227 and F229).
package struct ServerLimits: Hashable, Sendable {
  /// Connections at a time; others wait until the kernel has no room for them.
  package var connections: UInt32 = 64
  /// Of one address; more are closed.
  package var connectionsPerAddress: UInt32 = 32
  /// How long nothing may come or go on a connection, in seconds.
  package var idleSeconds: UInt32 = 5
  /// Bytes of a connection; a request whose headers need more is refused.
  package var memory = 32_768
  /// How long a request and its answer may take, however busy the connection is.
  package var longestRequest = Duration.seconds(30)
  /// How long a request waits for its page.
  package var longestWait = Duration.seconds(10)

  package init() {}
}
