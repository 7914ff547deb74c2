import Testing

@testable import FleetModel

@Suite struct SharedOffersTests {
  /// A board that is like others of its number, made anew.
  private func board(_ kind: Int) -> BoardDescription {
    BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "", serialNumber: "", hardwareRevision: "",
      firmwareRevision: "", imu: nil, modules: [:], slots: .init(),
      streams: [.init(name: "acceleration", offers: ["rate_hz": [.integer(Int64(kind))]])])
  }

  private func place(_ streams: [BoardDescription.Stream]) -> UnsafeRawPointer? {
    streams.withUnsafeBytes(\.baseAddress)
  }

  @Test func `boards that offer the same hold one list`() {
    let offers = SharedOffers()
    let (first, second) = (offers.sharing(board(1)), offers.sharing(board(1)))
    #expect(place(board(1).streams) != place(first.streams))
    #expect(place(first.streams) == place(second.streams))
  }

  @Test(arguments: 0..<2 * SharedOffers.limit)
  func `nothing about a board is changed`(kind: Int) {
    let offers = SharedOffers()
    for other in 0..<kind { _ = offers.sharing(board(other)) }
    #expect(offers.sharing(board(kind)) == board(kind))
    #expect(offers.sharing(board(0)) == board(0))
  }
}
