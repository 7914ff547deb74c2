/// How long we wait for BlueZ. One place, so that tests can shorten everything alike.
package struct BlueZPolicy: Hashable, Sendable {
  /// For calls that BlueZ answers from memory, and for the listing of all objects (fault F11).
  package var call = Duration.milliseconds(8500)
  /// For reads, writes and subscriptions: the board's stack answers them. A link that needs longer is not usable.
  package var attribute = Duration.seconds(10)
  /// From Connected to our characteristics (fault F05).
  package var services = Duration.seconds(10)
  /// For Connected to become false after Disconnect, which takes 1.8 to 2.7 s.
  package var disconnectTimeout = Duration.seconds(5)
  /// For discovery to stop before a connection is made all the same.
  package var quiet = Duration.seconds(2)
  /// For a scan to listen before a connection may pause it: boards advertise about twice a second, and those that
  /// connect one after the other would keep it from ever hearing the rest.
  package var listen = Duration.seconds(1)
  /// Between two looks at properties whose signal may have been missed.
  package var refreshInterval = Duration.seconds(1)
  /// Between two looks at an adapter that is discovering (fault F19).
  package var verify = Duration.seconds(10)
  /// Without anything received, until discovery counts as deaf (fault F20).
  package var deaf = Duration.seconds(90)
  /// Until a refused power-on or discovery is tried again (fault F18).
  package var recheck = Duration.seconds(30)
  /// For the first and for every later attempt to reach the bus, or to list the objects (fault F12).
  package var firstRetry = Duration.milliseconds(500)
  package var lastRetry = Duration.seconds(30)

  package init() {}

  /// Everything shorter by `divisor`, for tests on a real bus.
  package func divided(by divisor: Int) -> BlueZPolicy {
    var policy = self
    for path in Self.durations { policy[keyPath: path] = self[keyPath: path] / divisor }
    return policy
  }

  private static var durations: [WritableKeyPath<BlueZPolicy, Duration>] {
    [
      \.call, \.attribute, \.services, \.disconnectTimeout, \.quiet, \.listen, \.refreshInterval, \.verify,
      \.deaf, \.recheck,
      \.firstRetry,
      \.lastRetry,
    ]
  }
}
