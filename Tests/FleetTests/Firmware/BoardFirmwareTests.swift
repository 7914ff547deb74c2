import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct BoardFirmwareTests {
  private static func report(
    _ latest: String?, installed: String = "1.0", isListed: Bool = true, at time: Int64 = 0
  ) -> FirmwareReport {
    FirmwareReport(
      board: .number(1), model: "Toy", installed: installed,
      offer: .init(latest: latest, build: "vanilla", hardware: "0.1", isHardwareListed: isListed), index: nil,
      checked: nil, trouble: nil, time: .at(time))
  }

  @Test func `the document goes out when it says something else`() {
    var firmware = BoardFirmware()
    let taken = [("1.0", 1), ("1.0", 2), ("2.0", 3), (nil, 4)].map {
      firmware.take(Self.report($0, at: $1)).isOther
    }
    #expect(taken == [true, false, true, true] && firmware.report?.time == .at(4))
  }

  @Test func `F196 a build is announced once, whatever the index says in between`() {
    var firmware = BoardFirmware()
    let events = ["1.0", "2.0", "2.0", nil, "2.0", "3.0", "2.0"].map {
      firmware.take(Self.report($0)).draft?.fields["latest_version"]?.string
    }
    #expect(events == [nil, "2.0", nil, nil, nil, "3.0", nil])
  }

  @Test func `F196 what was announced before a start is not announced behind it`() {
    var firmware = BoardFirmware()
    let first = firmware.take(Self.report("2.0"))
    #expect(first.draft != nil && first.isToBeKept)
    var later = BoardFirmware(document: firmware.document)
    let second = later.take(Self.report("2.0"))
    #expect(second == BoardFirmware.Change(isOther: true, draft: nil, isToBeKept: false))
    let third = later.take(Self.report("3.0"))
    #expect(third.draft != nil && third.isToBeKept)
  }

  @Test func `an event says what the board has, and what there is`() {
    var firmware = BoardFirmware()
    let fields: JSONObject = ["installed_version": "1.0", "latest_version": "2.0"]
    #expect(
      firmware.take(Self.report("2.0")).draft == EventDraft(.firmware, "available", fields: fields))
  }

  @Test func `of builds without end the latest are remembered`() {
    var firmware = BoardFirmware()
    for number in 2..<40 { _ = firmware.take(Self.report("\(number).0")) }
    #expect(firmware.announced == (32..<40).map { "\($0).0" })
  }

  @Test func `whether the hardware is listed stays known while no index can be asked`() {
    var firmware = BoardFirmware()
    #expect(firmware.isHardwareListed == nil)
    _ = firmware.take(Self.report(nil, isListed: false))
    var silent = Self.report(nil)
    silent.offer = nil
    _ = firmware.take(silent)
    #expect(firmware.isHardwareListed == false)
    #expect(BoardFirmware(document: firmware.document).isHardwareListed == false)
  }

  @Test func `a board is outdated while something newer waits for it`() {
    var firmware = BoardFirmware()
    #expect(!firmware.isOutdated)
    _ = firmware.take(Self.report("2.0"))
    #expect(firmware.isOutdated)
    _ = firmware.take(Self.report("2.0", installed: "2.0"))
    #expect(!firmware.isOutdated)
  }

  @Test(arguments: ["{}", #"{"announced": 5, "hardware_listed": "yes"}"#, #"{"announced": [7, null]}"#])
  func `what cannot be read any more counts as unknown`(text: String) throws {
    let document = try #require(try StrictJSON.parse(Array(text.utf8)).object)
    #expect(BoardFirmware(document: document) == BoardFirmware())
  }
}
