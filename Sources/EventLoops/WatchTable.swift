/// The watches of a loop, found by the number that the kernel gives back with every event: a place in a list and how
/// often that place was given away, so that an event of a cancelled watch is not taken for one of its successor.
struct WatchTable: Sendable {
  typealias Handler = @Sendable (Readiness) -> DrainResult

  private struct Place: Sendable {
    var watch: Watch?
    // Here and not in the watch, which nobody has looked at since it was made: one way to memory less for every event.
    var handler: Handler?
    var round: UInt32 = 1
  }

  private var places: [Place] = []
  private var vacant: [Int] = []

  /// All there are.
  var watches: [Watch] { places.compactMap(\.watch) }

  /// Takes the watch that `make` makes for its token, which is never 0.
  mutating func insert(_ handler: @escaping Handler, _ make: (_ token: UInt64) -> Watch) -> Watch {
    if vacant.isEmpty {
      vacant.append(places.count)
      places.append(Place())
    }
    let index = vacant.removeLast()
    let watch = make(UInt64(places[index].round) << 32 | UInt64(index))
    (places[index].watch, places[index].handler) = (watch, handler)
    return watch
  }

  /// Forgets the watch of `token`, if it is there; its token is not given away again before four billion others.
  mutating func remove(_ token: UInt64) {
    guard let index = index(of: token) else { return }
    (places[index].watch, places[index].handler) = (nil, nil)
    places[index].round = max(1, places[index].round &+ 1)
    vacant.append(index)
  }

  /// Who is called for an event with this token; nil once its watch is forgotten.
  func handler(of token: UInt64) -> Handler? { index(of: token).flatMap { places[$0].handler } }

  private func index(of token: UInt64) -> Int? {
    let index = Int(token & 0xFFFF_FFFF)
    guard places.indices.contains(index), places[index].round == UInt32(token >> 32) else { return nil }
    return index
  }
}
