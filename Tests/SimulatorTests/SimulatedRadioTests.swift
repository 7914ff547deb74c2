import BoardKit
import FleetModel
import Simulator
import Synchronization
import Testing

struct SimulatedRadioTests {
  static let one = BoardID(BoardIdentity(number: 1).address)
  static let two = BoardID(BoardIdentity(number: 2).address)
  static let adapter = SimulatedRadio.adapter.id

  /// Runs `body` with a radio that works, in virtual time.
  private func withRadio(
    boards: Int = 2, conditions: Air.Conditions = Air.Conditions(), seed: UInt64 = 1,
    _ body: @escaping @Sendable (SimulatedRadio, VirtualTime) async throws -> Void
  ) throws {
    try VirtualTime.run { world in
      let plan = SimulatedFleet.Plan(boards: boards, seed: seed)
      let radio = SimulatedRadio(
        boards: plan.makeBoards(), air: Air(seed: seed, conditions: conditions), timekeeper: world,
        executor: world)
      try await withThrowingTaskGroup { group in
        group.addTask(executorPreference: world) { await radio.run() }
        for await event in radio.events { if case .adapter = event { break } }
        try await body(radio, world)
        group.cancelAll()
      }
    }
  }

  final class ReceivedReports: Sendable { let seen = Mutex<[AdvertisementReport]>([]) }

  /// What a link delivers.
  final class Receiver: Sendable {
    let packets = Mutex<[(bytes: [UInt8], time: Timestamp)]>([])
    let failure = Mutex<LinkFailure?>(nil)

    func open(_ link: any BoardLink) async {
      await link.open(
        received: { _, span, time in
          let bytes = span.withUnsafeBytes { Array($0) }
          self.packets.withLock { $0.append((bytes, time)) }
        },
        ended: { failure in self.failure.withLock { $0 = failure } })
    }

    func take() -> [(bytes: [UInt8], time: Timestamp)] {
      packets.withLock { packets in
        defer { packets = [] }
        return packets
      }
    }
  }

  private func connect(_ radio: SimulatedRadio) async throws -> (any BoardLink, Receiver) {
    let link = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20))
    let receiver = Receiver()
    await receiver.open(link)
    try await link.subscribe(to: MetaMotionAttributes.notification)
    return (link, receiver)
  }

  private func write(_ link: any BoardLink, _ packets: String...) async throws {
    for packet in packets {
      try await link.write([UInt8](hex: packet), to: MetaMotionAttributes.command, as: .command)
    }
  }

  @Test func `A stream arrives exactly at its rate, in virtual time`() throws {
    try withRadio { radio, world in
      let (link, receiver) = try await connect(radio)
      try await write(link, "03 03 A7 01", "03 04 01", "03 02 01 00", "03 01 01")
      let start = world.now
      try await world.sleep(for: .seconds(600) + .milliseconds(1))
      let packets = receiver.take()
      #expect(packets.count == 30_000)
      #expect(packets.first?.time == start + .milliseconds(20))
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.time - $0.time == .milliseconds(20) })
    }
  }

  @Test
  func `What a board sends between two connection events arrives together, and when its link breaks at once`()
    throws
  {
    var conditions = Air.Conditions()
    conditions.connectionInterval = .milliseconds(100)
    try withRadio(conditions: conditions) { radio, world in
      let (link, receiver) = try await connect(radio)
      try await write(link, "03 03 A7 01", "03 04 01", "03 02 01 00", "03 01 01")
      try await world.sleep(for: .seconds(2) + .milliseconds(1))
      let packets = receiver.take()
      // Fifty samples a second, five to an event.
      #expect(packets.count == 100)
      #expect(Set(packets.map(\.time)).count == 20)
      try await world.sleep(for: .milliseconds(45))
      #expect(receiver.take().isEmpty)
      await radio.loseLink(of: Self.one)
      #expect(receiver.take().count == 2)
    }
  }

  @Test func `An answer comes to whoever subscribed, and to nobody else`() throws {
    try withRadio { radio, _ in
      let link = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20))
      let receiver = Receiver()
      await receiver.open(link)
      try await write(link, "03 80")
      #expect(receiver.take().isEmpty)
      try await link.subscribe(to: MetaMotionAttributes.notification)
      try await write(link, "03 80")
      #expect(receiver.take().map(\.bytes) == [[0x03, 0x80, 0x04, 0x00]])
    }
  }

  @Test func `Boards are heard while the radio discovers, once per scan period`() throws {
    try withRadio { radio, world in
      await radio.discover(true, unfiltered: false)
      let advertisementReports = ReceivedReports()
      await withTaskGroup { group in
        group.addTask(executorPreference: world) {
          for await case .advertisement(let report) in radio.events {
            advertisementReports.seen.withLock { $0.append(report) }
          }
        }
        try? await world.sleep(for: .seconds(30))
        await radio.discover(false, unfiltered: false)
        try? await world.sleep(for: .seconds(30))
        group.cancelAll()
      }
      let seen = advertisementReports.seen.withLock { $0 }
      #expect(seen.map(\.board) == [Self.one, Self.two, Self.one, Self.two, Self.one, Self.two])
      #expect(seen.allSatisfy { $0.name == "MetaWear" && $0.services == [MetaMotionAttributes.service] })
    }
  }

  @Test func `A reset ends the link, and the board is back after three seconds`() throws {
    try withRadio { radio, world in
      let (link, receiver) = try await connect(radio)
      try await write(link, "FE 01")
      #expect(receiver.failure.withLock { $0?.reason } == .linkLost)
      await #expect(throws: LinkFailure.self) { try await write(link, "03 80") }
      let start = world.uptime
      await #expect(throws: LinkFailure(.timedOut, "no link within the time allowed")) {
        _ = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(2))
      }
      #expect(world.uptime - start == .seconds(2))
      try await world.sleep(for: .seconds(1))
      let (again, answers) = try await connect(radio)
      try await write(again, "0B 84")
      #expect(answers.take().first?.bytes.last == 1)
    }
  }

  @Test func `A board out of range is given up when the time is over, and a cancelled attempt at once`()
    throws
  {
    try withRadio { radio, world in
      await radio.changeAir { $0.outOfRange = [Self.one.address] }
      await #expect(throws: LinkFailure(.timedOut, "no link within the time allowed")) {
        _ = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20))
      }
      await #expect(throws: LinkFailure(.unreachable, "le-connection-abort-by-local")) {
        _ = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(60))
      }
      let start = world.uptime
      await withTaskGroup { group in
        group.addTask(executorPreference: world) {
          await #expect(throws: LinkFailure(.closed, "the attempt was cancelled")) {
            _ = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(60))
          }
        }
        try? await world.sleep(for: .seconds(5))
        group.cancelAll()
      }
      #expect(world.uptime - start == .seconds(5))
    }
  }

  @Test func `Refusals, full adapters and lost links fail as such`() throws {
    var conditions = Air.Conditions()
    conditions.slots = 1
    conditions.linkLife = .seconds(60)
    try withRadio(conditions: conditions) { radio, world in
      let (_, receiver) = try await connect(radio)
      await #expect(throws: LinkFailure(.noSlots, "the adapter has 1 connection already")) {
        _ = try await radio.connect(to: Self.two, via: Self.adapter, timeout: .seconds(20))
      }
      try await world.sleep(for: .seconds(3600))
      #expect(receiver.failure.withLock { $0?.reason } == .linkLost)
      await radio.changeAir { $0.conditions.refusals = 1 }
      await #expect(throws: LinkFailure(.refused, "le-connection-abort-by-local")) {
        _ = try await radio.connect(to: Self.two, via: Self.adapter, timeout: .seconds(20))
      }
    }
  }

  @Test func `An adapter that is switched off or pulled out takes its links along`() throws {
    try withRadio { radio, _ in
      var (_, receiver) = try await connect(radio)
      await radio.setAdapter(Self.adapter, .down)
      #expect(receiver.failure.withLock { $0?.reason } == .adapterOff)
      await #expect(throws: LinkFailure(.adapterOff, "Input/output error")) { _ = try await connect(radio) }
      await radio.setAdapter(Self.adapter, .up)
      receiver = try await connect(radio).1
      await radio.removeAdapter(Self.adapter)
      #expect(receiver.failure.withLock { $0?.reason } == .adapterGone)
    }
  }

  @Test func `A link that ended before it was opened says so when it is`() throws {
    try withRadio { radio, _ in
      let link = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20))
      await radio.loseLink(of: Self.one)
      let receiver = Receiver()
      await receiver.open(link)
      #expect(receiver.failure.withLock { $0?.reason } == .linkLost)
    }
  }

  @Test func `Late packets keep their order, and lost ones are gone`() throws {
    var conditions = Air.Conditions()
    conditions.latency = .milliseconds(5)...(.milliseconds(200))
    conditions.lostNotifications = 0.2
    try withRadio(conditions: conditions, seed: 5) { radio, world in
      let (link, receiver) = try await connect(radio)
      try await write(link, "03 04 01", "03 02 01 00", "03 01 01")
      let start = world.now
      try await world.sleep(for: .seconds(100))
      let packets = receiver.take()
      #expect((7500...8500).contains(packets.count))
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.time <= $1.time })
      #expect(packets.contains { ($0.time - start).wholeMilliseconds % 10 != 0 })
    }
  }

  @Test func `A pressed button is notified`() throws {
    try withRadio { radio, _ in
      let (link, receiver) = try await connect(radio)
      try await write(link, "01 01 01")
      await radio.perform(on: Self.one, as: MetaMotionBoard.self) { board, now in
        board.perform { $0.setSwitch(pressed: true, at: now) }
      }
      #expect(receiver.take().map(\.bytes) == [[1, 1, 1]])
    }
  }

  @Test func `A board jumps into its bootloader at the next address, answers there and comes back`() throws {
    try VirtualTime.run { world in
      var traits = BootloaderTraits()
      traits.place = .nextAddress
      let there = BoardID(BoardIdentity(number: 2).address)
      let radio = SimulatedRadio(
        boards: [
          MetaMotionBoard(
            Firmware(model: .s, identity: BoardIdentity(number: 1), seed: 1), bootloader: traits)
        ], air: Air(seed: 1), timekeeper: world, executor: world)
      try await withThrowingTaskGroup { group in
        group.addTask(executorPreference: world) { await radio.run() }
        for await event in radio.events { if case .adapter = event { break } }
        let (link, receiver) = try await connect(radio)
        try await write(link, "FE 02")
        #expect(receiver.failure.withLock { $0?.reason } == .linkLost)
        try await world.sleep(for: .seconds(2))
        let loader = try await radio.connect(to: there, via: Self.adapter, timeout: .seconds(20))
        let answers = Receiver()
        await answers.open(loader)
        let control = MetaMotionAttributes.bootloaderControl
        await #expect(throws: LinkFailure.self) { try await loader.write([7], to: control, as: .request) }
        try await loader.subscribe(to: control)
        try await loader.write([7], to: control, as: .request)
        try await world.sleep(for: .seconds(1))
        #expect(answers.take().map(\.bytes) == [[0x10, 7, 1, 0, 0, 0, 0]])
        try await loader.write([6], to: control, as: .request)
        try await world.sleep(for: .seconds(5))
        #expect(answers.failure.withLock { $0?.reason } == .linkLost)
        _ = try await connect(radio)
        group.cancelAll()
      }
    }
  }

  @Test func `The end of the simulation ends the links`() throws {
    try VirtualTime.run { world in
      let radio = SimulatedRadio(
        boards: SimulatedFleet.Plan(boards: 1).makeBoards(), air: Air(seed: 1), timekeeper: world,
        executor: world)
      let receiver = Receiver()
      try await withThrowingTaskGroup { group in
        group.addTask(executorPreference: world) { await radio.run() }
        for await event in radio.events { if case .adapter = event { break } }
        await receiver.open(try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20)))
        group.cancelAll()
      }
      #expect(receiver.failure.withLock { $0?.reason } == .serviceGone)
    }
  }

  @Test func `One seed is one history`() throws {
    func history() throws -> [[UInt8]] {
      let receiver = Receiver()
      var conditions = Air.Conditions()
      conditions.lostNotifications = 0.1
      conditions.latency = .zero ... .milliseconds(30)
      try withRadio(conditions: conditions, seed: 9) { radio, world in
        let link = try await radio.connect(to: Self.one, via: Self.adapter, timeout: .seconds(20))
        await receiver.open(link)
        try await link.subscribe(to: MetaMotionAttributes.notification)
        try await write(link, "03 04 01", "03 02 01 00", "03 01 01")
        try await world.sleep(for: .seconds(10))
      }
      return receiver.take().map(\.bytes)
    }
    #expect(try history() == history())
  }
}
