import FleetModel

/// What a scenario can do to the world around a gateway, at every depth.
protocol Hand: Sendable {
  /// Breaks the link of a board as radio trouble would.
  func loseLink(_ board: BoardID) async
  /// Carries a board away, or back.
  func setInRange(_ isInRange: Bool, _ board: BoardID) async
  /// Somebody switches the adapter off. Whether it comes back by itself is the gateway's business.
  func switchAdapterOff() async
  /// A second adapter is plugged in, which receives boards otherwise than the first one; or pulled out.
  func plugIn() async
  func pullOut() async
}

/// The same, where there is a bus.
protocol BusHand: Hand {
  /// Another program that uses BlueZ.
  var bystander: Bystander { get }
  /// Ends bluetoothd: without a word, or in order.
  func endBluetoothd(_ manner: BluetoothdEnd) async
  func startBluetoothd() async
}

/// How bluetoothd ends.
enum BluetoothdEnd: String, Sendable, CaseIterable {
  case killed, stopped
}
