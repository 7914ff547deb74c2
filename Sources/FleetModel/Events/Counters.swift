import Synchronization

/// What is counted since the process started. One instance per gateway, handed to whoever counts; never global.
///
/// Shared between executors, as the loops' mailboxes and `SharedOffers` are, and nothing else: each number is one
/// atomic.
public final class Counters: Sendable {
  /// Everything that is counted.
  public enum Name: Int, Sendable, CaseIterable {
    case sessionsOK, sessionsFailed
    case samplesIn, samplesPublished, samplesDropped
    /// Samples and answers that were left out, because no sensor can measure what they say.
    case samplesImpossible
    /// Samples of streams that are known to be missing between a board and us, and packets that came twice.
    case samplesLost, packetsDoubled
    /// Contacts and polls that were due and did not come about in time.
    case contactsMissed
    case adapterResets
    /// What the privileged helper did for us.
    case bluetoothdRestarts, usbResets
    /// Boards that were received, are not admitted, and were not reported because there were too many.
    case discoveriesSuppressed
    case commandsOK, commandsFailed
    /// Well-formed packets nobody wanted, and packets nobody could read.
    case packetsUnwanted, packetsMalformed
    /// Requests that were not carried out, by why; empty payloads are no requests.
    case commandsEmpty, commandsRetained, refusalsSuppressed
    /// Updates of boards' firmware, by how they ended.
    case updatesOK, updatesFailed
    /// Streamed samples that were not kept for exports, or not as long as they should be; they were published.
    case keptDropped
    /// Retained documents that were published again because others had cleared or altered them.
    case retainedRepaired
    /// Messages on live lanes that were left out, because the connection to the broker could not carry them.
    case liveDropped
  }

  private let values: Storage
  /// How what takes time is distributed.
  public let distributions = Distributions()

  /// All zero.
  public init() { values = Storage() }

  /// Adds to a counter.
  public func add(_ amount: Int = 1, to name: Name) { values[name].wrappingAdd(amount, ordering: .relaxed) }

  /// Reads a counter.
  public func value(of name: Name) -> Int { values[name].load(ordering: .relaxed) }

  private struct Storage: ~Copyable, Sendable {
    let sessionsOK = Atomic(0), sessionsFailed = Atomic(0)
    let samplesIn = Atomic(0), samplesPublished = Atomic(0), samplesDropped = Atomic(0)
    let samplesImpossible = Atomic(0)
    let samplesLost = Atomic(0), packetsDoubled = Atomic(0)
    let contactsMissed = Atomic(0)
    let adapterResets = Atomic(0)
    let bluetoothdRestarts = Atomic(0), usbResets = Atomic(0)
    let discoveriesSuppressed = Atomic(0)
    let commandsOK = Atomic(0), commandsFailed = Atomic(0)
    let packetsUnwanted = Atomic(0), packetsMalformed = Atomic(0)
    let commandsEmpty = Atomic(0), commandsRetained = Atomic(0), refusalsSuppressed = Atomic(0)
    let updatesOK = Atomic(0), updatesFailed = Atomic(0)
    let keptDropped = Atomic(0), retainedRepaired = Atomic(0), liveDropped = Atomic(0)

    subscript(name: Name) -> Atomic<Int> {
      _read {
        switch name {
        case .sessionsOK: yield sessionsOK
        case .sessionsFailed: yield sessionsFailed
        case .samplesIn: yield samplesIn
        case .samplesPublished: yield samplesPublished
        case .samplesDropped: yield samplesDropped
        case .samplesImpossible: yield samplesImpossible
        case .samplesLost: yield samplesLost
        case .packetsDoubled: yield packetsDoubled
        case .contactsMissed: yield contactsMissed
        case .adapterResets: yield adapterResets
        case .bluetoothdRestarts: yield bluetoothdRestarts
        case .usbResets: yield usbResets
        case .discoveriesSuppressed: yield discoveriesSuppressed
        case .commandsOK: yield commandsOK
        case .commandsFailed: yield commandsFailed
        case .packetsUnwanted: yield packetsUnwanted
        case .packetsMalformed: yield packetsMalformed
        case .commandsEmpty: yield commandsEmpty
        case .commandsRetained: yield commandsRetained
        case .refusalsSuppressed: yield refusalsSuppressed
        case .updatesOK: yield updatesOK
        case .updatesFailed: yield updatesFailed
        case .keptDropped: yield keptDropped
        case .retainedRepaired: yield retainedRepaired
        case .liveDropped: yield liveDropped
        }
      }
    }
  }
}
