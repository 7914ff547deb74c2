import Dialects
import FleetModel

/// What is known of a stream's fields. Pure.
enum StreamFields {
  /// As its board declares them, which counts where a chain bears the name of another stream; else as the catalogue
  /// does. None where nobody knows.
  static func declared(_ stream: String, by board: BoardInfoDocument?) -> [StreamDefinition.Field] {
    if let offered = board?.stream(stream) { return offered.declaredFields }
    guard let found = StreamCatalogue.find(stream) else { return [] }
    return found.component.map { [found.stream.fields[$0]] } ?? found.stream.fields
  }

  /// The streams that these boards say they can send, sorted.
  static func offered(by boards: some Sequence<FleetView.Board>) -> [String] {
    Set(boards.flatMap { $0.info?.streams ?? [] }.filter { $0.stream[.isStreamable] == true }.map(\.name))
      .sorted()
  }
}
