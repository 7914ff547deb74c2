import FleetModel

/// The adapters of a fake bluetoothd, by their numbers from 0. A board has one link at a time, over one of them. A
/// value.
struct FakeAdapters: Sendable {
  var all: [FakeAdapter]
  /// The air as it was at the start.
  private let usual: Air.Conditions

  /// `count` adapters, each of which receives boards as it stands; the first one through `air`.
  init(_ count: Int, air: Air, memory: Duration) {
    usual = air.conditions
    all = (0..<max(1, count)).map { FakeAdapter(air: $0 == 0 ? air : air.beside($0), memory: memory) }
  }

  var numbers: Range<Int> { all.indices }

  /// The adapter over which the attributes of a board can be used; nil where none is there.
  func holder(of board: BluetoothAddress) -> Int? {
    all.firstIndex { $0.devices[board]?.isReady ?? false }
  }

  /// Boards with a link.
  var connected: [BluetoothAddress] {
    all.flatMap { $0.devices.values.filter(\.isUp).map(\.address) }.sorted()
  }

  /// When the first of them has something to do.
  mutating func nextEvent() -> Duration? {
    var next: Duration?
    for number in numbers {
      if let event = all[number].nextEvent() { next = min(next ?? event, event) }
    }
    return next
  }

  /// Something that is so for all of them, such as the air.
  mutating func change(_ body: (inout FakeAdapter) -> Void) { for number in numbers { body(&all[number]) } }

  /// The air of all of them becomes so; with nil as it was at the start.
  mutating func change(to quality: RadioQuality?) {
    change { [usual] in $0.air.conditions = quality?.conditions ?? usual }
  }

  /// As they are after bluetoothd started anew.
  mutating func startAnew() { change { $0 = $0.successor } }
}
