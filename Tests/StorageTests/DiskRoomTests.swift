import Testing

@testable import Storage

@Suite struct DiskRoomTests {
  private static let mega = 1 << 20

  private static func room(
    _ whole: Int, free: Int, inside: Int = 0, owed: Int = 0, reserve: Int = mega
  ) -> DiskRoom {
    DiskRoom(space: DiskSpace(whole: whole, free: free), inside: inside, owed: owed, reserve: reserve)
  }

  @Test(
    arguments: [
      (0, 65_536, 65_536), (4 << 20, 131_072, 131_072), (64 << 20, 2 << 20, 1 << 20),
      (1 << 40, 4_096_000, 1 << 20),
    ])
  func `F135 the log and what one transaction writes go by the size of the file system`(
    whole: Int, log: Int, piece: Int
  ) {
    let room = Self.room(whole, free: whole)
    #expect(room.logSize == log && room.piece == piece)
  }

  @Test func `F135 what deleted rows left counts as room, as long as the log can grow`() {
    let whole = 4 * Self.mega
    #expect(!Self.room(whole, free: Self.mega).isLow)
    #expect(Self.room(whole, free: Self.mega - 1).isLow)
    #expect(!Self.room(whole, free: Self.mega / 2, inside: Self.mega / 2).isLow)
    #expect(Self.room(whole, free: 0, inside: 2 * Self.mega).isLow)
    // Never more than a quarter of the file system.
    #expect(!Self.room(whole, free: Self.mega, reserve: 1 << 30).isLow)
    #expect(!Self.room(whole, free: 0, reserve: 0).isLow)
    #expect(!DiskRoom.unlimited.isLow && DiskRoom.none.isLow)
  }

  @Test func `F137 what folding the log needs is not written into`() {
    let whole = 4 * Self.mega
    #expect(!Self.room(whole, free: 256 << 10).isFull && Self.room(whole, free: 255 << 10).isFull)
    #expect(!Self.room(whole, free: Self.mega, owed: 768 << 10).isFull)
    #expect(Self.room(whole, free: Self.mega, owed: 769 << 10).isFull)
    #expect(Self.room(whole, free: 2 * Self.mega, owed: Self.mega + 1).isLow)
    #expect(!DiskRoom.unlimited.isFull)
  }

  @Test func `F137 what a long log needs is checked before it can matter`() {
    let room = Self.room(4 * Self.mega, free: 2 * Self.mega)
    #expect(
      !room.isTight(log: 0) && room.isTight(log: Self.mega) && !DiskRoom.unlimited.isTight(log: 1 << 30))
  }

  @Test func `F135 what is kept for convenience gives way before anything has to wait`() {
    let whole = 4 * Self.mega
    #expect(Self.room(whole, free: 3 * Self.mega).shortfall == 0)
    #expect(Self.room(whole, free: Self.mega).shortfall == 512 << 10)
    #expect(Self.room(whole, free: Self.mega, inside: 512 << 10).shortfall == 0)
  }

  @Test func `F135 a write that succeeded says that a lock is gone, not that there is room`() {
    let (low, well) = (Self.room(4 << 20, free: 0), Self.room(4 << 20, free: 4 << 20))
    #expect(low.condition(after: .taken("")) == .low && low.condition(after: nil) == .low)
    #expect(low.condition(after: .full) == .full)
    for known in [StoreFailure.full, .low, .readOnly, .taken("")] {
      #expect(well.condition(after: known) == nil)
    }
  }
}
