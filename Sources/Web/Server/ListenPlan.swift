import FleetModel

/// What is to be done about where requests are awaited, while the configuration changes and addresses cannot be had
/// (fault F202). Times are those that the process runs. Pure.
struct ListenPlan: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Nothing, until another configuration counts.
    case rest
    /// Nothing for so long.
    case wait(Duration)
    /// Nothing is served any more.
    case close
    /// The place stays; who may ask changes.
    case adjust
    /// Listen there. What is served until then is given up afterwards.
    case open(ListenAddress)
    /// What is served is in the way: give it up, listen there, and take the old place again if that cannot be had.
    case replace(ListenAddress)
  }

  /// How long to wait after a first failure, and at most: twice as long after each one.
  static let (shortestPause, longestPause) = (Duration.seconds(1), Duration.seconds(60))

  /// What the configuration says.
  private(set) var wanted: HTTPConfiguration
  /// What counts for who asks now; nil: nothing is served.
  private(set) var serving: HTTPConfiguration?
  /// Where that is: with the port there is, where any was asked for.
  private var place: ListenAddress?
  private var pause = Self.shortestPause
  private var next: Duration?

  init(_ wanted: HTTPConfiguration) { self.wanted = wanted }

  /// What is to be done at `now`.
  func step(at now: Duration) -> Step {
    guard serving != wanted else { return .rest }
    guard let address = wanted.listen else { return serving == nil ? .rest : .close }
    if let next, next > now { return .wait(next - now) }
    if serving?.listen == address { return .adjust }
    return place?.mayExclude(address) == true ? .replace(address) : .open(address)
  }

  /// Another configuration, or the same once more: in any case it is tried at once.
  mutating func want(_ configuration: HTTPConfiguration) {
    wanted = configuration
    (pause, next) = (Self.shortestPause, nil)
  }

  /// It is served as wanted, at `place`; nil where nothing is wanted.
  mutating func succeeded(at place: ListenAddress?) {
    serving = place == nil ? nil : wanted
    self.place = place
    (pause, next) = (Self.shortestPause, nil)
  }

  /// What is wanted cannot be had at `now`. What was served is there as before, or not any more.
  mutating func failed(at now: Duration, servesOn: Bool) {
    if !servesOn { (serving, place) = (nil, nil) }
    next = now + pause
    pause = min(pause * 2, Self.longestPause)
  }
}

extension ListenAddress {
  /// Whether the kernel may refuse one while the other is there. Addresses of IPv6 are written in many ways, so those
  /// with one port count as alike.
  fileprivate func mayExclude(_ other: ListenAddress) -> Bool {
    guard case .internet(let host, let port) = self, case .internet(let otherHost, port) = other, port != 0
    else { return false }
    let (isIPv6, isOtherIPv6) = (host.contains(":"), otherHost.contains(":"))
    guard !isIPv6, !isOtherIPv6 else { return isIPv6 && isOtherIPv6 }
    return host == otherHost || host == Self.everywhere || otherHost == Self.everywhere
  }

  private static let everywhere = "0.0.0.0"
}
