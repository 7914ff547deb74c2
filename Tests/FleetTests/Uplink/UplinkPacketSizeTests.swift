import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// A broker that takes only small packets (fault F263).
@Suite struct UplinkPacketSizeTests {
  private static let topic = "m/board/\(BoardID.number(1))/info"

  private static func info(streams: Int) -> FleetEvent {
    let description = BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "1",
      hardwareRevision: "0.1", firmwareRevision: "1.7.2", imu: "bmi270", modules: [:], slots: .init(),
      streams: ["acceleration", "angular-velocity", "magnetic-field", "pressure", "altitude", "humidity"]
        .prefix(streams).map { .init(name: $0, offers: ["x": [1, 2, 3]]) })
    return .info(
      BoardInfo(
        board: .number(1), family: "metamotion", name: "One", site: nil, profile: nil, groups: [],
        labels: [:], verbs: [], description: description, interviewed: .at(0), changed: .at(0)))
  }

  @Test(arguments: [false, true])
  func `F263 what is too large is shortened, also where it was written before the broker was there`(
    isEarly: Bool
  ) throws {
    let rig = try UplinkRig(seed: 1, maximumPacketSize: 700)
    let info = Self.info(streams: 6)
    let (text, count, waiting, refused) = try rig.run { () -> (String, Int, Int, Int) in
      // As a gateway does it: what is delivered is what stands from then on. What stood before would be said already.
      if !isEarly { await rig.connected() }
      await rig.notes.set([info], boards: [.number(1)])
      await rig.uplink.deliver([info])
      await rig.pass(.seconds(10))
      await rig.broker.drop()
      await rig.pass(.seconds(30))
      return (
        String(decoding: await rig.broker.retained[Self.topic] ?? [], as: UTF8.self),
        await rig.broker.payloads(on: Self.topic).count, await rig.waiting, await rig.refused
      )
    }
    #expect(text.contains(#""truncated":true"#) && text.contains(#""name":"One""#))
    #expect([count, waiting, refused] == [1, 0, 0])
  }

  @Test func `F263 what cannot be made small enough is parked, and named`() throws {
    let rig = try UplinkRig(seed: 1, maximumPacketSize: 150)
    let info = Self.info(streams: 1)
    let (words, refused) = try rig.run { () -> ([String], Int) in
      await rig.connected()
      await rig.uplink.deliver([info])
      await rig.pass(.seconds(10))
      return (await rig.notes.words, await rig.refused)
    }
    #expect(words.contains("refusing \(Self.topic)") && refused == 1)
  }
}
