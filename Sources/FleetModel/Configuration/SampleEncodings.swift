import Synchronization

/// The encodings that are in effect, which a reload changes while batches are written. One instance per gateway.
public final class SampleEncodings: Sendable {
  private let encodings: Mutex<Set<SampleEncoding>>

  /// Begins with these.
  public init(_ encodings: Set<SampleEncoding> = [.json]) { self.encodings = Mutex(encodings) }

  /// Those that are in effect, in the order of their declaration. The first one counts the samples.
  public var current: [SampleEncoding] {
    let chosen = encodings.withLock { $0 }
    return SampleEncoding.allCases.filter(chosen.contains)
  }

  /// Others take effect with the next batch.
  public func change(to chosen: Set<SampleEncoding>) { encodings.withLock { $0 = chosen } }
}
