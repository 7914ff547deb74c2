import BoardKit
import FleetModel
import Foundation
import Testing

@testable import MetaMotion

@Suite struct PacketExplainerTests {
  /// One reading of a packet in a line: fields as `name=value`.
  private static func line(_ reading: PacketExplanation) -> String {
    let fields = reading.fields.map { field in
      let value =
        switch field.value {
        case .string(let text): text
        case .bool(let flag): "\(flag)"
        default: field.value.number.map(ParameterType.plain) ?? "?"
        }
      return "\(field.name)=\(value)\(field.unit)"
    }
    return ([reading.registerName ?? "?"] + fields).joined(separator: " ")
  }

  private static func explain(
    _ text: String, _ sender: PacketExplanation.Sender, _ model: String? = nil, _ range: Int? = nil
  ) throws -> [PacketExplanation] {
    var explainer = PacketExplainer(try #require(PacketContext(model: model, rangeG: range)))
    return explainer.explain(try #require(Hex.bytes(text)), from: sender)
  }

  /// Packets of the protocol reference with what it says of them.
  @Test(
    arguments: [
      ("01 01 01", .host, "button tell changes=true"), ("01 01 00", .board, "button pressed=false"),
      (
        "02 03 02 02 10 10 00 00 F4 01 00 00 E8 03 00 00 05", .host,
        "pattern of a channel channel=blue kind=pulse high=16of 31 low=16of 31 rise time=0ms high time=500ms "
          + "fall time=0ms period=1000ms delay=0ms repetitions=5"
      ),
      ("02 83 01", .host, "pattern of a channel channel=red"),
      ("02 83 01", .board, "pattern of a channel channel=red"),
      ("02 01 01", .host, "playback mode=playing"), ("02 02 01", .host, "stop clear patterns=true"),
      ("04 81 02 AC FF", .board, "temperature channel=2 temperature=-10.5°C"),
      ("04 C1 00", .host, "temperature channel=0"),
      (
        "04 02 01 00 01 00", .host,
        "thermistor on pins channel=1 data pin=0pull-down pin=1 active high=false".replacing(
          "0pull", with: "0 pull")
      ),
      ("08 01 F8 88 13 00", .host, "pulse duty=100% length=5000ms drive=motor"),
      ("08 01 7F 4C 1D 01", .host, "pulse duty=51.20968% length=7500ms drive=buzzer"),
      ("0B 84 15 04 00 00 05", .board, "clock tick=1045× 48/32768 s reset=5"),
      ("0B 85 10 27 00 00", .board, "length entries=10000"), ("0B 85 10 27", .board, "length entries=10000"),
      ("0B 02 03 04 FF 24", .host, "logger of=accelerometer, register 04 bytes=2 from byte=4"),
      (
        "0B 02 04 C1 00 20", .host,
        "logger of=temperature, register 01, read silently index=0 bytes=2 from byte=0"
      ),
      ("0B 02 01", .board, "logger logger=1"), ("0B 82", .board, "logger"),
      ("0B 09 FF FF FF FF", .host, "drop entries entries=4294967295"),
      ("11 02 9B 02 B4 00", .host, "advertising interval=416.875ms time-out=180s type=0"),
      ("11 03 EC", .host, "transmission power power=-20dBm"),
      ("11 8B 01 07 7B 52 8F C9 E8", .board, "hardware address address=E8:C9:8F:52:7B:07 kind=random-static"),
      ("11 8B 07 7B 52 8F C9 E8", .board, "hardware address address=E8:C9:8F:52:7B:07"),
      ("11 8C 63 34 10", .board, "battery charge=99% voltage=4148mV"),
      (
        "11 09 58 02 20 03 80 00 66 06", .host,
        "connection parameters shortest interval=750ms longest interval=1000ms latency=128intervals "
          + "supervision time-out=16380ms"
      ),
      ("12 01 D3 35 8B 01", .board, "pressure pressure=101173.82422Pa"),
      ("12 02 1E 1F FE FF", .board, "altitude altitude=-480.88281m"),
      ("12 04 01 01", .host, "sampling on=true altitude too=true"),
      (
        "12 03 28 90", .host,
        "oversampling, filter and standby pressure=2times temperature=1times filter=16 standby=500ms"
      ),
      ("14 02 0C 28", .host, "gain, integration and period gain=8times integration=250ms period=50ms"),
      ("14 03 ED 92 B0 00", .board, "illuminance illuminance=11571.949lx"),
      ("16 81 C7 FC 00 00", .board, "humidity humidity=63.19434%"),
      ("16 02 05", .host, "oversampling times=16"),
      ("15 04 17 52", .host, "repetitions on x and y=47 on z=83"), ("15 03 05", .host, "rate rate in Hz=20"),
      ("15 05 4E F0 53 0A 75 04", .board, "field x=-251.125µT y=165.1875µT z=71.3125µT"),
      ("15 07 02 7F", .host, "thresholds of alarms low=12µT high=762µT"),
      ("15 08 20", .board, "alarm seen=high axis=z"),
      ("15 06 01 00", .host, "alarms switched on=low x switched off=none"),
      ("13 03 29 02", .host, "rate and range rate=200Hz range=500°/s"),
      ("13 01 00", .host, "power mode=suspend"),
      ("19 02 01 43", .host, "mode and ranges mode=ndof acceleration=16g rotation=250°/s"),
      ("19 03 18 00", .host, "outputs switched on=quaternion, euler switched off=none"),
      ("19 07 00 00 80 3F 00 00 00 3F 00 00 80 3E 00 00 80 BF", .board, "quaternion w=1 x=0.5 y=0.25 z=-1"),
      (
        "19 04 20 3E 53 C5 0C FE 79 46 0C FE 79 C6 00", .board,
        "corrected-acceleration x=-3.37988g y=15.99951g z=-15.99951g accuracy=unreliable"
      ),
      ("19 8B 00 01 03", .board, "calibration accelerometer=unreliable gyroscope=low magnetometer=high"),
      (
        "19 0C F6 FF 00 00 0A 00 E8 03 03 00", .host,
        "calibration data of the accelerometer x=-10 y=0 z=10 radius=1000 accuracy=3"
      ),
      ("19 0F 01", .host, "reset the orientation now=true"),
      ("16 80", .board, "module information present=false"),
      ("03 80 04 00", .board, "module information present=true implementation=4 revision=0"),
      ("FE 89 00 94 0C", .board, "stack reset on overflow=false free=3220bytes"),
      ("FE 8B 04 00 00 00", .board, "cause of the last reset cause=software"), ("FE 01", .host, "reset now"),
    ] as [(String, PacketExplanation.Sender, String)])
  func `a packet of every explained register is read whole`(
    _ text: String, _ sender: PacketExplanation.Sender, _ words: String
  ) throws {
    let readings = try Self.explain(text, sender)
    #expect(readings.map(Self.line) == [words])
    #expect(readings[0].isComplete)
    #expect(readings[0].sender == sender)
  }

  @Test(
    arguments: [
      ("03 03 27 0C", .host, "r", "rate and range rate=50Hz range=16g"),
      ("03 03 A9 02", .host, "MetaMotion S", "rate and range rate=200Hz range=8g"),
      ("03 03 A9 02", .host, "rl", "rate and range codes=a9 02"),
      ("03 02 01 00", .host, nil, "sampling switched on=data switched off=none"),
      ("03 06 02 40", .host, "s", "features switched on=step counter switched off=any motion"),
      ("03 9A 14 00", .board, "rl", "step counter steps=20"), ("03 8B 14 00", .board, "s", "steps steps=20"),
      (
        "03 0A 18 14 7F 15", .host, "rl",
        "motion, settings any motion, samples=1 no or slow motion, code=6 any motion=20/512 of the range "
          + "no or slow motion=127/512 of the range second=no motion first=any motion skip=3000ms proof=500ms"
      ),
      (
        "03 07 07 40 85 0B C0", .host, "r",
        "low and high g, settings low duration=20ms low threshold=0.49984g low hysteresis=0.125g "
          + "low by=sum of axes high hysteresis=2/16 of the range high duration=30ms high threshold=192/256 of the range"
      ),
      (
        "03 0D C0 04", .host, "r",
        "tap, settings window=50ms shock=75ms quiet=20ms threshold=4/32 of the range"
      ),
      (
        "03 10 18 48", .host, "r",
        "orientation, settings mode=symmetrical blocking=2 hysteresis=0.0625g theta=8 up and down=told apart "
          + "axes=as they are"
      ),
      ("03 13 08 11", .host, "r", "flat, settings theta=5.68889° hysteresis=1 hold=640ms"),
      ("03 18 15 0B", .host, "r", "steps, settings sensitivity=normal counter=on"),
      ("03 0B 22", .board, "r", "motion seen=any axis=z sign=1"),
      ("03 08 02", .board, "r", "low or high g seen=low-g"),
      ("03 0E 12", .board, "r", "tap seen=single axis=z sign=1"),
      ("03 11 0B", .board, "r", "orientation seen=face-down-portrait-inverted index=5"),
      ("03 14 07", .board, "r", "flat flags=told, flat before revision 2, then face down, flat"),
      ("03 0B 00", .board, "r", "motion seen=nothing"),
      ("03 08 00 81 01", .host, "s", "settings of a feature block=axes x is=y y is=x z is=-z"),
      (
        "03 08 02 23 E1 56 04", .host, "s",
        "settings of a feature block=no motion duration=5820ms axes=xyz threshold=0.54199g"
      ),
      ("03 08 03 FA 00", .host, "s", "settings of a feature block=significant motion duration=5000ms"),
      (
        "03 08 07 00 0E 02 00", .host, "s",
        "settings of a feature block=steps 25 and watermark parameter 25=00 0e watermark=40steps counter=goes on"
      ),
      (
        "03 08 08 10 00 34 12 AB 00 00 02", .host, "s",
        "settings of a feature block=wrist gesture arm=right peak=4660 samples=171 longest=512"
      ),
      ("03 0A 16", .board, "s", "wrist seen=flick-out code=5"),
      ("03 0C 04", .board, "s", "activity seen=running"),
      ("03 10 08 01 02 FF", .host, "s", "offsets offsets=on x=0.0039g y=0.0078g z=-0.0039g"),
      (
        "03 11 D9", .host, "s",
        "downsampling gyroscope, exponent=1 gyroscope=filtered accelerometer, exponent=5 accelerometer=filtered"
      ),
      ("13 04 3E 43 FF 7F 00 80", .board, "s", "angular velocity x=17214counts y=32767counts z=-32768counts"),
      (
        "13 06 10 F0 FE DC", .host, "s",
        "offsets x, low byte=16 y, low byte=240 z, low byte=254 x, high bits=0 y, high bits=3 z, high bits=1 "
          + "offsets=on gain=on"
      ),
      ("03 0B 01", .board, "s", "steps step=true"), ("03 0B 14 00", .board, "s", "steps steps=20"),
      ("03 04 16 C4 94 A2 2A D0", .board, nil, "acceleration x=-15338counts y=-23916counts z=-12246counts"),
    ] as [(String, PacketExplanation.Sender, String?, String)])
  func `the accelerometer is read by its chip`(
    _ text: String, _ sender: PacketExplanation.Sender, _ model: String?, _ words: String
  ) throws {
    #expect(try Self.explain(text, sender, model).map(Self.line) == [words])
  }

  @Test func `what the board told of itself helps with what follows`() throws {
    var explainer = PacketExplainer()
    for text in ["03 80 01 02", "03 03 28 08", "04 80 01 00 00 03 01 02"] {
      _ = explainer.explain(try #require(Hex.bytes(text)))
    }
    let packed = "03 1C 62 B7 53 0D E9 FD 16 D0 4D 0E 57 02 8A FF A1 05 0A 01"
    let sample = explainer.explain(try #require(Hex.bytes(packed)))
    #expect(sample.map { $0.fields.prefix(3).map(\.value.number) } == [[-4.53857, 0.83276, -0.13062]])
    #expect(sample[0].fields.count == 9)
    let celsius = explainer.explain([0x04, 0x81, 0x01, 0xAC, 0xFF])
    #expect(celsius.map(Self.line) == ["temperature channel=1 source=thermistor temperature=-10.5°C"])
  }

  @Test func `the gyroscope's range helps with its samples`() throws {
    var explainer = PacketExplainer(try #require(PacketContext(model: "rl", rangeG: nil)))
    _ = explainer.explain(try #require(Hex.bytes("13 03 29 02")), from: .host)
    let sample = explainer.explain(try #require(Hex.bytes("13 05 3E 43 FF 7F 00 80")), from: .board)
    #expect(sample.map(Self.line) == ["angular velocity x=262.40854°/s y=499.49695°/s z=-499.5122°/s"])
  }

  @Test func `who sent it is told from the bytes where they say so`() {
    var explainer = PacketExplainer()
    func senders(_ packet: [UInt8]) -> [PacketExplanation.Sender] { explainer.explain(packet).map(\.sender) }
    #expect(senders([0x11, 0x8C]) == [.host])
    #expect(senders([0x11, 0x8C, 0x63, 0x34, 0x10]) == [.board])
    #expect(senders([0x02, 0x01, 0x01]) == [.host])
    #expect(senders([0x01, 0x01, 0x01]) == [.host, .board])
  }

  @Test(
    arguments: [
      ([], "there is nothing in it", []), ([0x09], "at least two bytes", []),
      ([0x77, 0x01, 0x02], "no module has the number 77", [0x02]),
      ([0x11, 0x3F, 0x09], "no packet like this", [0x09]),
      ([0x03, 0x1C, 0x01], "say --model", [0x01]), ([0x11, 0x03], "shorter than it should be", []),
      ([0xFE, 0x08], "never send this", []), ([0x02, 0x01, 0x01, 0xAA], "", [0xAA]),
    ] as [([UInt8], String, [UInt8])])
  func `what is not known is said to be unknown`(_ packet: [UInt8], _ words: String, _ unknown: [UInt8]) {
    var explainer = PacketExplainer()
    let reading = explainer.explain(packet, from: .host)[0]
    #expect(reading.unknown == unknown)
    #expect(words.isEmpty || reading.notes.contains { $0.contains(words) }, "\(reading.notes)")
    #expect(reading.isComplete == (packet == [0xFE, 0x08]))
  }

  @Test func `models and ranges that do not exist are refused`() {
    #expect(PacketContext(model: "c", rangeG: nil) == nil)
    #expect(PacketContext(model: "", rangeG: nil) == nil)
    #expect(PacketContext(model: nil, rangeG: 3) == nil)
    #expect(PacketContext(model: "MetaMotion RL", rangeG: 16) != nil)
  }

  /// Modules whose registers are explained.
  private static let explained: Set<String> = [
    "switch", "led", "accelerometer", "temperature", "haptic", "logging", "settings", "barometer", "debug",
    "gpio", "ibeacon", "serial", "processor", "timer", "event", "macro",
    "gyroscope", "ambient-light", "magnetometer", "humidity", "sensor-fusion",
  ]

  /// Packets that the vendor's tests make one byte too long; that byte is said to be unknown.
  private static let padded: Set<String> = ["03190100", "030416c494a22ad000", "030b0000", "11120001"]
  /// A packet that the vendor's tests invented to be none.
  private static let invented = "0a00"

  @Test(arguments: try VectorCase.all())
  func `every packet of the vendor's vectors is read to its last byte`(_ vector: VectorCase) {
    var explainer = PacketExplainer()
    for reply in vector.replies.values { _ = explainer.explain(reply, from: .board) }
    for (packets, sender) in [(vector.writes, PacketExplanation.Sender.host), (vector.inject, .board)] {
      for packet in packets {
        let readings = explainer.explain(packet, from: sender)
        #expect(readings.count == 1)
        for reading in readings where Self.explained.contains(reading.module ?? "") {
          let isPadded =
            Self.padded.contains(packet.hex) && reading.unknown.count <= 1 || packet.hex == Self.invented
          #expect(reading.isComplete || isPadded, "\(packet.hex): \(reading)")
        }
      }
    }
  }

  /// Signals of the vectors that are explained as values, not as raw flags.
  private static let valued = [
    "acceleration", "packed acceleration", "step counter", "battery", "charge status", "power status",
    "switch",
    "temperature", "MAC",
  ]

  @Test func `the values of the vendor's vectors are found`() throws {
    var count = 0
    // Entries of the log do not say of what signal they are.
    for vector in try VectorCase.all() where vector.area != "logging" {
      for expected in vector.expect["values"]?.array ?? [] {
        guard let signal = expected.object?["signal"]?.string, let value = expected.object?["value"],
          Self.valued.contains(where: { signal.hasPrefix($0) }), !vector.inject.isEmpty
        else { continue }
        let wanted = value.object?.members.map(\.value) ?? [value]
        // The range is the user's, not the packets': one of the four fits.
        let fits = [2, 4, 8, 16].contains { range in
          guard let context = PacketContext(model: vector.model == "8" ? "s" : "r", rangeG: range) else {
            return false
          }
          var explainer = PacketExplainer(context)
          let found = vector.inject.flatMap { explainer.explain($0, from: .board).flatMap(\.fields) }.map(
            \.value)
          return wanted.allSatisfy { value in found.contains { Self.isSame($0, value) } }
        }
        #expect(fits, "\(vector.testDescription): \(wanted)")
        count += 1
      }
    }
    #expect(count >= 20)
  }

  private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
    if let text = other.string { return one.string == text }
    guard let wanted = other.number else { return false }
    let number = one.number ?? one.bool.map { $0 ? 1 : 0 }
    return number.map { abs($0 - wanted) < 0.0001 } ?? false
  }

  @Test(
    arguments: [
      ("0902 0304ff a0 07a501", .host, ["accelerometer, register 04", "rss"]),
      ("0902 04c101 20 11 3103", .host, ["temperature, register 01, read silently", "account"]),
      ("0982 0304ffa0", .board, ["type ff"]), ("0a02 090300 0703 02 0900", .host, ["ibeacon, register 03"]),
      ("0c02 e8030000 ffff 01", .host, ["for ever"]), ("0c02 03", .board, []), ("0982", .board, []),
      ("0586 02 01020215", .host, []), ("0d82 0a000b07 76 e4 da", .host, []),
      ("0702 5ae7bafb4c46ddd99591cb8506906a32", .host, ["326a900685cb9195d9dd464cfbbae75a"]),
      ("0f82 00 01 03", .board, []), ("0f09 0203", .host, ["02 03"]),
    ] as [(String, PacketExplanation.Sender, [String])])
  func `programs are told in words`(_ hex: String, _ sender: PacketExplanation.Sender, _ words: [String]) {
    var explainer = PacketExplainer()
    let reading = explainer.explain(bytes(hex), from: sender)[0]
    let found = reading.fields.compactMap(\.value.string)
    for word in words where word != "type ff" { #expect(found.contains(word), "\(found)") }
    #expect(reading.isComplete != words.contains("type ff"), "\(reading)")
  }

  @Test func `F56 no bytes make it trap, and none is lost`() {
    for seed in 0..<3_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var explainer = PacketExplainer(
        PacketContext(model: ["r", "s", nil][Int(seed % 3)], rangeG: 4) ?? PacketContext())
      for _ in 0..<5 {
        let module = Module.allCases.randomElement(using: &random)?.rawValue ?? 0
        let packet =
          [module]
          + (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
          }
        for reading in explainer.explain(packet) {
          #expect(reading.packet == packet, "seed \(seed)")
          #expect(Array(packet.suffix(reading.unknown.count)) == reading.unknown, "seed \(seed)")
        }
      }
    }
  }
}
