import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct BootloaderControlTests {
  private static let image = FirmwareImage(
    kind: .application, initPacket: [UInt8](repeating: 7, count: 14),
    bytes: [UInt8](repeating: 5, count: 1_004))

  private static func play(
    _ window: Int = 10, _ edit: @Sendable (inout PlayedBootloader.Faults) -> Void = { _ in }
  ) async -> (failure: TransferFailure?, link: PlayedBootloader) {
    let link = PlayedBootloader()
    await link.change(edit)
    let session = await PlayedSession(link)
    return (await session.install(InstallableFirmware(image, version: "1.7.3"), window: window), link)
  }

  @Test(arguments: [1, 4, 10, 100])
  func `F53 an image comes whole, with so many packets on the way at most`(window: Int) async {
    let (failure, link) = await Self.play(window)
    #expect(failure == nil)
    #expect(await link.image == Self.image.bytes)
    #expect(await link.initPacket == Self.image.initPacket)
    #expect(await link.mostOnTheWay <= window)
    #expect(await link.requests == ["01", "02", "02", "08", "03", "04", "05"])
  }

  private static let failures: [(String, [UInt8], TransferFailure.Kind)] = [
    ("04", [0x10, 0x04, 0x05], .again), ("01", [0x10, 0x01, 0x02], .leftOver),
    ("01", [0x10, 0x01, 0x04], .refused), ("02", [0x10, 0x02, 0x06], .refused),
    ("03", [0x10, 0x03, 0x06], .slower),
  ]

  @Test(arguments: failures)
  func `F53 what the bootloader refuses says what helps, and the board is reset`(
    request: String, answer: [UInt8], kind: TransferFailure.Kind
  ) async {
    let (failure, link) = await Self.play { $0.answers[request] = answer }
    #expect(failure?.kind == kind, "\(failure?.message ?? "")")
    #expect(await link.requests.last == "06")
  }

  @Test func `F52 a link that ends on the way ends the transfer`() async {
    let (failure, link) = await Self.play { $0.endsAfter = 500 }
    #expect(failure?.kind == .again)
    #expect(await link.requests.last == "03")
  }

  @Test func `F271 the bootloader says who the board is`() async throws {
    let session = await PlayedSession(PlayedBootloader())
    #expect(
      await session.identify()
        == .success(
          BootloaderDescription(
            serialNumber: "S1", modelNumber: "5", hardwareRevision: "0.4", version: "0.5.0")))
  }

  @Test func `F271 an application is taken for no bootloader`() async throws {
    let link = PlayedBootloader()
    await link.change { $0.version = [1, 0] }
    guard case .failure(.unexpected) = await PlayedSession(link).identify() else {
      Issue.record("it was taken for one")
      return
    }
  }

  @Test func `the address of a bootloader is its board's, or one more in the lowest byte`() throws {
    let owners = try #require(MetaMotionFamily.descriptor.bootloader?.owners)
    let (board, next) = (try #require(BoardID("e5a1c2d3f4ff")), try #require(BoardID("e5a1c2d3f400")))
    #expect(owners(board).first == board)
    #expect(owners(next) == [next, board])
  }
}

/// A bootloader that takes an image, and what goes wrong with it.
private actor PlayedBootloader: BoardLink {
  struct Faults: Sendable {
    /// Answers to requests, by their first byte, instead of success.
    var answers: [String: [UInt8]] = [:]
    var endsAfter: Int?
    var version: [UInt8] = [8, 0]
  }

  nonisolated let board = BoardID(BluetoothAddress(rawValue: 1))
  nonisolated let adapter = AdapterID(BluetoothAddress(rawValue: 2))
  private var faults = Faults()
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private var ended: (@Sendable (LinkFailure) -> Void)?
  private var end: LinkFailure?
  private var size = 0
  private var every = 0
  private var unconfirmed = 0
  private(set) var requests: [String] = []
  private(set) var image: [UInt8] = []
  private(set) var initPacket: [UInt8] = []
  private(set) var mostOnTheWay = 0

  func change(_ edit: @Sendable (inout Faults) -> Void) { edit(&faults) }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) { (self.received, self.ended) = (received, ended) }

  func subscribe(to characteristic: Characteristic) {}

  func read(_ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    switch characteristic {
    case Attributes.bootloaderVersion: faults.version
    case Attributes.serialNumber: Array("S1".utf8)
    case Attributes.modelNumber: Array("5".utf8)
    case Attributes.hardwareRevision: Array("r0.4".utf8)
    case Attributes.firmwareRevision: Array("0.5.0".utf8)
    default: throw LinkFailure(.servicesMissing, "there is none")
    }
  }

  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind) throws(LinkFailure) {
    if let end { throw end }
    if characteristic == Attributes.bootloaderControl { request(value) } else { packet(value) }
  }

  func disconnect() { finish(LinkFailure(.closed, "closed")) }

  private func request(_ value: [UInt8]) {
    let code = Hex.string(Array(value.prefix(1)))
    requests.append(code)
    switch value.first {
    case 0x02 where value.last == 1: answer(code, [0x10, 0x02, 0x01])
    case 0x04: answer(code, [0x10, 0x04, 0x01])
    case 0x05, 0x06: finish(LinkFailure(.linkLost, "the board left"))
    case 0x08: every = Int(value[1])
    default: break
    }
  }

  private func packet(_ value: [UInt8]) {
    switch requests.last {
    case "01":
      size = Int(value[8]) | Int(value[9]) << 8
      answer("01", [0x10, 0x01, 0x01])
    case "02": initPacket += value
    default: take(value)
    }
  }

  private func take(_ value: [UInt8]) {
    image += value
    unconfirmed += 1
    mostOnTheWay = max(mostOnTheWay, unconfirmed)
    if let limit = faults.endsAfter, image.count >= limit {
      return finish(LinkFailure(.linkLost, "the link was lost"))
    }
    if image.count >= size { return answer("03", [0x10, 0x03, 0x01]) }
    guard unconfirmed == every else { return }
    unconfirmed = 0
    let count = image.count
    send([0x11, UInt8(count & 0xFF), UInt8(count >> 8), 0, 0])
  }

  private func answer(_ code: String, _ usual: [UInt8]) { send(faults.answers[code] ?? usual) }

  private func send(_ bytes: [UInt8]) {
    received?(Attributes.bootloaderControl, bytes.span.bytes, Timestamp(milliseconds: 0))
  }

  private func finish(_ failure: LinkFailure) {
    guard end == nil else { return }
    end = failure
    ended?(failure)
  }
}

/// Whoever has the driver, on the executor of its link.
private actor PlayedSession {
  nonisolated let link: PlayedBootloader
  nonisolated var unownedExecutor: UnownedSerialExecutor { link.unownedExecutor }
  private let conversation: Conversation
  private let driver: BootloaderControl

  init(_ link: PlayedBootloader) async {
    self.link = link
    conversation = Conversation(link: link, timekeeper: ManualClock())
    driver = BootloaderControl(conversation: conversation)
    await link.open(
      received: { [weak self] characteristic, packet, _ in
        let bytes = packet.withUnsafeBytes { Array($0) }
        self?.assumeIsolated { $0.driver.received(bytes.span.bytes, from: characteristic) }
      },
      ended: { [weak self] failure in self?.assumeIsolated { $0.conversation.end(because: failure) } })
  }

  func install(_ image: InstallableFirmware, window: Int) async -> TransferFailure? {
    do throws(TransferFailure) {
      try await driver.install(image, window: window) { _ in }
      return nil
    } catch {
      return error
    }
  }

  func identify() async -> Result<BootloaderDescription, ProtocolFailure> {
    do throws(ProtocolFailure) { return .success(try await driver.identify()) } catch {
      return .failure(error)
    }
  }
}
