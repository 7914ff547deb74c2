/// How long bluetoothd and its controller take for connections, as BlueZ 5.66 was seen to.
enum FakeDelays {
  /// A connecting controller needs so long from hearing a board to the link.
  static let opening = Duration.milliseconds(110)
  /// From `Connected: true` to the reply of `Connect`: the exchange of features.
  static let answering = Duration.milliseconds(20)
  /// BlueZ waits so long before it really closes a link.
  static let closing = Duration.seconds(2)
}
