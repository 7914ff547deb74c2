import FleetModel
import Testing

/// What one wrong time does to a log: nothing but to its own entry.
@Suite struct LogBootScanTests {
  /// Two loggers that write side by side a hundred times a second.
  private static func log(_ count: Int, from first: UInt32 = 70_000, resetID: Int = 3) -> [TickEntry] {
    let reading = BoardTick(resetID: resetID, tick: first + UInt32(count) * 7 / 2 + 900)
    return (0..<count).map { number in
      TickEntry(
        BoardTick(resetID: resetID, tick: first + UInt32(number / 2) * 7), logger: number % 2,
        reading: reading)
    }
  }

  private static func scan(
    _ entries: [TickEntry], tick: UInt32? = 69_000, resetID: Int = 3, isOver: Bool = true
  ) -> LogBootScan.State {
    var scan = LogBootScan(from: resetID, tick: tick, resetIDs: 8)
    for entry in entries { scan.take(entry) }
    scan.judgePending(isOver: isOver)
    return scan.state
  }

  @Test(arguments: 0..<35)
  func `F151 a flipped bit of an entry's time throws off that entry, and none behind it`(bit: Int) {
    for place in [0, 1, 60, 61, 198, 199] {
      var entries = Self.log(200)
      if bit < 32 {
        entries[place].clock.tick ^= 1 << UInt32(bit)
      } else {
        entries[place].clock.resetID ^= 1 << (bit - 32)
      }
      let state = Self.scan(entries)
      #expect(state.runs.count == 1, "\(place)")
      #expect(state.doubtful.allSatisfy { $0 == place }, "\(place): \(state.doubtful)")
      // What stays between its neighbours contradicts nobody, nor what lies between the last of them and the look.
      if bit >= 16 { #expect(state.doubtful == [place], "\(place)") }
      if bit >= 4, place == 60 || place == 61 { #expect(state.doubtful == [place], "\(place)") }
    }
  }

  @Test(
    arguments: [1, 2, 5])
  func `F151 wrong entries in a row, of random times and resets, are thrown off alone`(count: Int) {
    var random = SeededGenerator(seed: 151)
    for _ in 0..<400 {
      var entries = Self.log(300)
      let place = Int.random(in: 0..<(300 - count), using: &random)
      for index in place..<(place + count) {
        entries[index].clock.tick = .random(in: 0...(.max), using: &random)
        if Bool.random(using: &random) { entries[index].clock.resetID = .random(in: 0..<8, using: &random) }
      }
      let state = Self.scan(entries)
      #expect(state.runs.count == 1)
      #expect(
        state.doubtful.allSatisfy { (place..<(place + count)).contains($0) }, "\(place) \(state.doubtful)")
      #expect(state.runs.first?.extent ?? 0 <= 150 * 7 + 900)
    }
  }

  @Test func `F151 no entry is later than the look at the clock, however many agree`() {
    var entries = Self.log(60)
    for index in 30..<60 { entries[index].clock.tick += 5_000 }
    #expect(Self.scan(entries).doubtful == Array(30..<60))
  }

  @Test(arguments: [1, 2, 40])
  func `F152 a new run needs a witness: an entry behind it, or at the end the look`(count: Int) {
    let before = Self.log(100)
    let behind = Self.log(count, from: 500, resetID: 4)
    let state = Self.scan(before + behind)
    #expect(state.runs.map(\.resets) == [0, 1] && state.runs.map(\.start) == [0, 100])
    #expect(state.doubtful.isEmpty)
    // Nobody looked: one entry alone proves nothing.
    let blind = Self.scan((before + behind).map { TickEntry($0.clock, logger: $0.logger) })
    #expect(blind.runs.count == (count == 1 ? 1 : 2) && blind.doubtful == (count == 1 ? [100] : []))
    // A look that says otherwise.
    var contradicted = before + behind
    for index in contradicted.indices { contradicted[index].reading = before[0].reading }
    if count == 1 { #expect(Self.scan(contradicted).doubtful == [100]) }
  }

  @Test func `short runs between others are runs`() {
    let entries =
      Self.log(50) + Self.log(3, from: 90, resetID: 4) + Self.log(50, from: 20, resetID: 5)
    let state = Self.scan(entries)
    #expect(state.runs.map(\.resetID) == [3, 4, 5] && state.doubtful.isEmpty)
  }

  @Test func `boards that write once an hour, or come out of order by seconds, contradict nobody`() {
    let hourly = (0..<200).map { number in
      TickEntry(
        BoardTick(resetID: 3, tick: UInt32(number) * 2_457_600), logger: 1,
        reading: BoardTick(resetID: 3, tick: 200 * 2_457_600))
    }
    #expect(Self.scan(hourly, tick: 0) == Self.scan(hourly, tick: 0, isOver: false))
    #expect(Self.scan(hourly, tick: 0).doubtful.isEmpty)
    var disordered: [TickEntry] = []
    for block in 0..<20 {
      for logger in 0..<3 {
        for number in 0..<10 {
          let tick = UInt32(50_000 + block * 7_000 + number * 700)
          disordered.append(TickEntry(BoardTick(resetID: 3, tick: tick), logger: logger))
        }
      }
    }
    let state = Self.scan(disordered, tick: nil)
    #expect(state.doubtful.isEmpty && state.runs.count == 1)
  }

  @Test func `F151 in the midst of a read-out the last entry of a page leads nobody astray`() {
    var entries = Self.log(100)
    for index in entries.indices { entries[index].reading?.tick += 9_000_000 }
    entries[99].clock.tick += 4_000_000
    #expect(Self.scan(entries, isOver: false).doubtful == [99])
  }
}
