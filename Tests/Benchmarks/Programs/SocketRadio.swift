import BlueZ
import BoardKit
import EventLoops
import FleetModel

/// A radio with one adapter that has every board of the sender on it.
actor SocketRadio: Radio {
  nonisolated let events: AsyncStream<RadioEvent>
  nonisolated var executor: any SerialExecutor { loop }
  private nonisolated let loop: EventLoop
  private let news: AsyncStream<RadioEvent>.Continuation
  private let timekeeper: HostTimekeeper
  private let count: Int
  private let running: @Sendable () -> Void
  private let ended: @Sendable () -> Void
  private var hasAnnounced = false

  /// `running` and `ended` are called once per board: its accelerometer runs, its socket has ended.
  init(
    boards count: Int, loop: EventLoop, timekeeper: HostTimekeeper, running: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) {
    self.count = count
    self.loop = loop
    self.timekeeper = timekeeper
    self.running = running
    self.ended = ended
    (events, news) = AsyncStream.makeStream()
  }

  static func board(_ number: Int) -> BoardID {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001 + UInt64(number)))
  }

  func run() async {
    news.yield(.service(isAvailable: true, message: "sockets"))
    news.yield(.adapter(AdapterStatus(id: Demand.adapter, name: "hci0", state: .up, isDiscovering: true)))
    while !Task.isCancelled {
      for number in 0..<count where !hasAnnounced {
        news.yield(
          .advertisement(
            AdvertisementReport(
              board: Self.board(number), adapter: Demand.adapter, name: "MetaWear", rssi: -50, services: [],
              time: timekeeper.now)))
      }
      hasAnnounced = true
      do { try await timekeeper.sleep(for: .seconds(3600)) } catch { return }
    }
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) {}

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) throws(LinkFailure) -> any BoardLink {
    guard let number = (0..<count).first(where: { Self.board($0) == board }) else {
      throw LinkFailure(.unreachable, "no such board")
    }
    return SocketLink(number: number, loop: loop, timekeeper: timekeeper, started: running, closed: ended)
  }

  nonisolated func pause(
    for duration: Duration, by timekeeper: any Timekeeper
  ) async throws(CancellationError) {
    try await BlueZRadio.pause(for: duration, on: loop)
  }

  func forget(_ board: BoardID, on adapter: AdapterID) {}
  func use(_ adapters: Set<AdapterID>?) {}

  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) {}
}
