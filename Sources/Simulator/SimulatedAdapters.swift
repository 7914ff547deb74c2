package import BoardKit
package import FleetModel

/// The adapters of simulations: `hci0`, and others beside it.
package enum SimulatedAdapters {
  /// So many at most.
  package static let greatestCount = 8

  /// The first `count`, on.
  package static func all(_ count: Int) -> [AdapterStatus] {
    (0..<max(1, min(count, greatestCount))).map { number in
      AdapterStatus(id: id(of: number), name: "hci\(number)", state: .up, isDiscovering: false)
    }
  }

  /// Of adapter `number`, from 0.
  package static func id(of number: Int) -> AdapterID {
    AdapterID(BluetoothAddress(rawValue: 0x00AA_0100_0000 + UInt64(number)))
  }
}
