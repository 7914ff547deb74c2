import FleetModel

/// What is asked of the boards, and where they are.
enum Demand {
  static let adapter = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))

  /// Acceleration at ±4 g.
  static func acceleration(at rate: Double) throws -> StreamRequest {
    let keys: JSONObject = ["rate_hz": .number(rate), "range_g": 4]
    guard let definition = StreamCatalogue.find("acceleration")?.0 else { throw Missing() }
    return StreamRequest(name: "acceleration", configuration: try definition.configure(keys).values)
  }

  struct Missing: Error {}
}
