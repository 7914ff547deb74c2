import BoardKit
import FleetModel
import Simulator
import Support

/// What one run of the daemon has of the radio.
struct SeededRadioClient: Radio {
  let events: AsyncStream<RadioEvent>
  private let outlet: AsyncStream<RadioEvent>.Continuation
  private let radio: SeededRadio
  private let process: SeededProcess
  /// Never rung: lasts as long as the daemon.
  private let lifetime = AsyncStream<Void>.makeStream()

  init(of radio: SeededRadio, for process: SeededProcess) {
    self.radio = radio
    self.process = process
    (events, outlet) = AsyncStream.makeStream()
  }

  var executor: any SerialExecutor { process }

  func run() async {
    await radio.attach(outlet)
    for await _ in lifetime.stream {}
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) async {
    await radio.radio.discover(isWanted, unfiltered: unfiltered)
  }

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    try await radio.connect(to: board, via: adapter, timeout: timeout)
  }

  func forget(_ board: BoardID, on adapter: AdapterID) async { await radio.forget(board, on: adapter) }
}

/// A link, with the script's mischief in between.
struct SeededLink: BoardLink {
  private let link: any BoardLink
  private let radio: SeededRadio

  init(_ link: any BoardLink, of radio: SeededRadio) {
    self.link = link
    self.radio = radio
  }

  var board: BoardID { link.board }
  var adapter: AdapterID { link.adapter }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) async {
    await radio.open(link, received: received, ended: ended)
  }

  func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
    try await link.subscribe(to: characteristic)
  }

  func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
    try await link.read(characteristic)
  }

  func write(
    _ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async throws(LinkFailure) {
    try await link.write(value, to: characteristic, as: kind)
    await radio.wrote(value, to: board)
  }

  func signalStrength() async -> Int? { await link.signalStrength() }

  func disconnect() async {
    await radio.hungUp(board)
    await link.disconnect()
  }
}
