import Testing

@testable import MetaMotion

@Suite struct BootloaderTransferTests {
  private typealias Effect = BootloaderTransfer.Effect

  private static func reset(_ failure: BootloaderFailure) -> [[Effect]] {
    [[.writeControl([6]), .wait(atMost: .seconds(10))], [.failed(failure)]]
  }

  /// What comes of it when the bootloader answers `request` in another way, and the link ends behind that.
  private static func outcome(
    _ request: UInt8, _ status: UInt8, window: Int = 10
  ) -> [[Effect]] {
    var bench = TransferBench(window: window) { answer in
      answer[0] == 0x10 && answer[1] == request ? [[0x10, request, status]] : [answer]
    }
    bench.happen(.ready)
    return [bench.effects, bench.happen(.linkEnded)]
  }

  @Test func `a whole transfer, step by step`() {
    let image = TransferBench.image(of: 240)
    var transfer = BootloaderTransfer(image, window: 10)
    let pieces = FirmwareImage.packets(of: image.bytes).map { Effect.writePacket($0) }
    #expect(
      transfer.next(.ready, at: .zero) == [
        .writeControl([1, 4]), .writePacket([0, 0, 0, 0, 0, 0, 0, 0, 240, 0, 0, 0]),
        .wait(atMost: .seconds(90)),
      ])
    #expect(
      transfer.next(.received([0x10, 1, 1]), at: .seconds(37)) == [
        .writeControl([2, 0]), .writePacket(TransferBench.initPacket), .writeControl([2, 1]),
        .wait(atMost: .seconds(10)),
      ])
    #expect(
      transfer.next(.received([0x10, 2, 1]), at: .seconds(38)) == [
        .writeControl([8, 10, 0]), .writeControl([3]),
      ] + pieces.prefix(10) + [.wait(atMost: .seconds(10))])
    #expect(transfer.remaining(at: .seconds(39)) == nil)
    #expect(
      transfer.next(.received([0x11, 200, 0, 0, 0]), at: .seconds(40))
        == Array(pieces.suffix(2)) + [.wait(atMost: .seconds(10))])
    #expect(transfer.confirmed == 200 && transfer.remaining(at: .seconds(48)) == .seconds(2))
    #expect(
      transfer.next(.received([0x10, 3, 1]), at: .seconds(41)) == [
        .writeControl([4]), .wait(atMost: .seconds(30)),
      ])
    #expect(
      transfer.next(.received([0x10, 4, 1]), at: .seconds(42)) == [
        .writeControl([5]), .wait(atMost: .seconds(10)),
      ])
    #expect(transfer.next(.linkEnded, at: .seconds(43)) == [.done])
    #expect(transfer.next(.linkEnded, at: .seconds(44)) == [])
  }

  @Test func `a board that is leaving need not acknowledge that it leaves`() {
    var bench = TransferBench()
    bench.happen(.ready)
    #expect(bench.effects == [.writeControl([5]), .wait(atMost: .seconds(10))])
    #expect(bench.happen(.writeFailed) == [])
    #expect(bench.happen(.linkEnded) == [.done])
  }

  @Test(arguments: [4, 20, 24, 180, 200, 204, 400, 1_000], [1, 4, 10])
  func `D04 whatever its size, the image arrives once, and no more packets are on the way than the window`(
    bytes: Int, window: Int
  ) {
    var bench = TransferBench(bytes, window: window)
    bench.happen(.ready)
    #expect(bench.image == TransferBench.image(of: bytes).bytes)
    #expect(bench.mostOnTheWay <= window)
    #expect(bench.happen(.linkEnded) == [.done])
    #expect(bench.requests == [1, 2, 2, 8, 3, 4, 5])
  }

  // D01: the link.

  @Test func `D01 a link that ends at any step fails the transfer at once, but for its last`() {
    var steps: [BootloaderFailure?] = []
    for step in 0... {
      var transfer = BootloaderTransfer(TransferBench.image(of: 400), window: 10)
      var script: [BootloaderTransfer.Event] = [
        .ready, .received([0x10, 1, 1]), .received([0x10, 2, 1]), .received([0x11, 200, 0, 0, 0]),
        .received([0x10, 3, 1]), .received([0x10, 4, 1]),
      ]
      if step > script.count { break }
      script.removeSubrange(step...)
      for event in script { _ = transfer.next(event, at: .zero) }
      let end = transfer.next(.linkEnded, at: .zero)
      if case .failed(let failure) = end.first { steps.append(failure) } else { steps.append(nil) }
      #expect(end.count == 1)
    }
    #expect(
      steps == [
        .linkEnded(.start), .linkEnded(.start), .linkEnded(.initPacket), .linkEnded(.sendImage),
        .linkEnded(.sendImage), .linkEnded(.validate), nil,
      ])
  }

  @Test func `D01 what cannot be written ends in a reset`() {
    var bench = TransferBench { _ in [] }
    bench.happen(.ready)
    #expect(
      [bench.happen(.writeFailed), bench.happen(.linkEnded)] == Self.reset(.notWritten(.start)))
  }

  // D03: START.

  @Test func `D03 a bootloader may erase for ninety seconds, and is reset behind that`() {
    var bench = TransferBench { _ in [] }
    bench.happen(.ready)
    bench.now = .seconds(85)
    #expect(bench.happen(.timedOut) == [])
    #expect(bench.happen(.received([0x10, 1, 1])).first == .writeControl([2, 0]))

    var silent = TransferBench { _ in [] }
    silent.happen(.ready)
    silent.wait()
    #expect([silent.effects, silent.happen(.linkEnded)] == Self.reset(.silent(.start)))
  }

  @Test(arguments: [UInt8(2), 3, 4, 6, 77])
  func `D03 a start that is refused resets the board, and says why`(status: UInt8) {
    #expect(Self.outcome(1, status) == Self.reset(.refused(.start, .init(status))))
  }

  @Test(arguments: [UInt8(2), 6])
  func `D13 an init packet that is refused resets the board, and says why`(status: UInt8) {
    #expect(Self.outcome(2, status) == Self.reset(.refused(.initPacket, .init(status))))
  }

  // D04: receipts.

  @Test func `D04 for a receipt that is lost the bootloader is asked`() {
    var isFirst = true
    var bench = TransferBench { answer in
      guard answer[0] == 0x11, isFirst else { return [answer] }
      isFirst = false
      return []
    }
    bench.happen(.ready)
    #expect(bench.image.count == 200)
    bench.wait()
    #expect(bench.requests == [1, 2, 2, 8, 3, 7, 4, 5])
    #expect(bench.image == TransferBench.image(of: 1_000).bytes)
  }

  @Test func `D04 a bootloader that does not say either what it has is reset`() {
    var bench = TransferBench { $0[0] == 0x11 || $0[1] == 7 ? [] : [$0] }
    bench.happen(.ready)
    bench.wait()
    #expect(bench.effects == [.writeControl([7]), .wait(atMost: .seconds(10))])
    bench.wait()
    #expect([bench.effects, bench.happen(.linkEnded)] == Self.reset(.silent(.sendImage)))
  }

  @Test func `D04 a receipt that comes twice counts once`() {
    var bench = TransferBench { $0[0] == 0x11 ? [$0, $0] : [$0] }
    bench.happen(.ready)
    #expect(bench.image == TransferBench.image(of: 1_000).bytes)
    #expect(bench.mostOnTheWay == 10 && !bench.requests.contains(7))
  }

  @Test func `D04 a receipt that is late goes on, and the answer to our question does not count twice`() {
    var transfer = BootloaderTransfer(TransferBench.image(of: 1_000), window: 10)
    for event in [
      BootloaderTransfer.Event.ready, .received([0x10, 1, 1]), .received([0x10, 2, 1]),
    ] { _ = transfer.next(event, at: .zero) }
    #expect(
      transfer.next(.timedOut, at: .seconds(10)) == [.writeControl([7]), .wait(atMost: .seconds(10))])
    #expect(transfer.next(.received([0x11, 200, 0, 0, 0]), at: .seconds(11)).count == 11)
    #expect(transfer.next(.received([0x10, 7, 1, 200, 0, 0, 0]), at: .seconds(12)) == [])
    #expect(transfer.confirmed == 200)
  }

  @Test
  func `D04 a receipt with another count has the bootloader asked, and bytes that are missing reset it`() {
    var bench = TransferBench { answer in
      switch answer[0] {
      case 0x11: [[0x11, 180, 0, 0, 0]]
      case 0x10 where answer[1] == 7: [[0x10, 7, 1, 180, 0, 0, 0]]
      default: [answer]
      }
    }
    bench.happen(.ready)
    #expect(bench.requests == [1, 2, 2, 8, 3, 7, 6])
    #expect(bench.happen(.linkEnded) == [.failed(.miscounted(sent: 200, received: 180))])
  }

  @Test func `D04 a count that was wrong once is put right by the answer`() {
    var isFirst = true
    var bench = TransferBench { answer in
      guard answer[0] == 0x11, isFirst else { return [answer] }
      isFirst = false
      return [[0x11, 180, 0, 0, 0]]
    }
    bench.happen(.ready)
    #expect(bench.happen(.linkEnded) == [.done])
    #expect(bench.requests.filter { $0 == 7 }.count == 1)
  }

  @Test func `D04 a bootloader may count since it was started`() {
    var bench = TransferBench { answer in
      guard answer[0] == 0x11 else { return [answer] }
      let count = Int(answer[1]) + Int(answer[2]) << 8 + 5_000
      return [[0x11, UInt8(count & 0xFF), UInt8(count >> 8), 0, 0]]
    }
    bench.happen(.ready)
    #expect(bench.image == TransferBench.image(of: 1_000).bytes && !bench.requests.contains(7))
  }

  @Test
  func `D04 a receipt instead of the end of the image is no end, and its answer to our question is one`() {
    var bench = TransferBench(400) { answer in
      answer[0] == 0x10 && answer[1] == 3 ? [[0x11, 0x90, 1, 0, 0]] : [answer]
    }
    bench.happen(.ready)
    #expect(!bench.requests.contains(4))
    bench.wait()
    #expect(bench.requests == [1, 2, 2, 8, 3, 7, 4, 5])
  }

  @Test func `D04 an image that is said to be complete before it is sent is not`() {
    var transfer = BootloaderTransfer(TransferBench.image(of: 400), window: 10)
    for event in [
      BootloaderTransfer.Event.ready, .received([0x10, 1, 1]), .received([0x10, 2, 1]),
    ] { _ = transfer.next(event, at: .zero) }
    #expect(transfer.next(.received([0x10, 3, 1]), at: .zero).first == .writeControl([6]))
    #expect(transfer.next(.linkEnded, at: .zero) == [.failed(.miscounted(sent: 200, received: 400))])
  }

  // D05 to D07: what the board makes of the image.

  @Test func `D05 a bootloader that cannot keep up resets, for another try with fewer packets`() {
    let failure = BootloaderFailure.refused(.sendImage, .operationFailed)
    #expect(Self.outcome(3, 6) == Self.reset(failure))
    #expect(failure.isOverrun)
  }

  @Test(arguments: [UInt8(2), 5])
  func `D06 D07 an image that the board finds wrong is not activated`(status: UInt8) {
    #expect(Self.outcome(4, status) == Self.reset(.refused(.validate, .init(status))))
  }

  @Test func `D06 a board that does not judge is reset`() {
    var bench = TransferBench { $0[0] == 0x10 && $0[1] == 4 ? [] : [$0] }
    bench.happen(.ready)
    #expect(bench.effects == [.writeControl([4]), .wait(atMost: .seconds(30))])
    bench.wait()
    #expect([bench.effects, bench.happen(.linkEnded)] == Self.reset(.silent(.validate)))
  }

  @Test func `D17 a board that does not leave its bootloader is not done`() {
    var bench = TransferBench()
    bench.happen(.ready)
    bench.wait()
    #expect([bench.effects, bench.happen(.linkEnded)] == Self.reset(.notActivated))
  }

  @Test func `a reset that nobody obeys ends the transfer, too`() {
    var bench = TransferBench { _ in [] }
    bench.happen(.ready)
    bench.wait()
    #expect(bench.happen(.writeFailed) == [])
    bench.wait()
    #expect(bench.effects == [.failed(.silent(.start))])
  }

  // D19: aborting.

  @Test func `D19 before the start an abort restarts the board as it was`() {
    var bench = TransferBench()
    #expect(bench.transfer.mayAbort)
    #expect(bench.happen(.abort) == [.writeControl([6]), .wait(atMost: .seconds(10))])
    #expect(bench.happen(.ready) == [])
    #expect(bench.happen(.linkEnded) == [.aborted])
  }

  @Test func `D19 from the start on nothing aborts a transfer, for the board has no other firmware`() {
    var bench = TransferBench { _ in [] }
    bench.happen(.ready)
    #expect(!bench.transfer.mayAbort)
    #expect(bench.happen(.abort) == [])
    #expect(bench.happen(.received([0x10, 1, 1])).first == .writeControl([2, 0]))
  }

  // Time as a whole, and noise.

  @Test func `an image has a second for a thousand bytes, but three minutes at least`() {
    #expect(TransferLimits.image(20_000) == .seconds(180))
    #expect(TransferLimits.image(300_000) == .seconds(300))
    var transfer = BootloaderTransfer(TransferBench.image(of: 100_000), window: 1)
    for event in [
      BootloaderTransfer.Event.ready, .received([0x10, 1, 1]), .received([0x10, 2, 1]),
    ] { _ = transfer.next(event, at: .zero) }
    #expect(
      transfer.next(.received([0x11, 20, 0, 0, 0]), at: .seconds(175)).last == .wait(atMost: .seconds(5)))
    #expect(transfer.next(.timedOut, at: .seconds(180)).first == .writeControl([6]))
    #expect(transfer.next(.linkEnded, at: .seconds(181)) == [.failed(.tooSlow)])
  }

  @Test(
    arguments: [
      [], [0x10], [0x10, 1], [0x10, 1, 1, 0], [0x11, 1, 2, 3], [0x11, 1, 2, 3, 4, 5], [0x99, 1, 1],
      [0x10, 7, 2, 0, 0, 0, 0], [0x10, 0x42, 6], [0x10, 4, 1], [0x10, 7, 1, 9, 0, 0, 0], [0x11, 9, 0, 0, 0],
    ] as [[UInt8]])
  func `what is no answer, or none to us, changes nothing`(noise: [UInt8]) {
    var transfer = BootloaderTransfer(TransferBench.image(of: 400), window: 10)
    #expect(transfer.next(.received(noise), at: .zero) == [])
    _ = transfer.next(.ready, at: .zero)
    #expect(transfer.next(.received(noise), at: .zero) == [])
    #expect(transfer.next(.received([0x10, 1, 1]), at: .zero).first == .writeControl([2, 0]))
  }
}
