/// A signal that loggers on the board write down, whoever set them up (protocol reference, section 31).
struct RecoveredSignal: Hashable, Sendable {
  /// Canonical.
  var name: String
  /// Nil where something on its way is not known.
  var layout: SampleLayout?
  /// Slots of its loggers, first bytes first.
  var loggers: [UInt8]

  /// Finds the signals behind loggers; in the order of their first slots.
  ///
  /// A signal of more than four bytes takes several loggers, in rising order of their offsets and of their slots;
  /// others of the same source may lie in between.
  static func group(_ loggers: [UInt8: LoggerEntry], in graph: ProcessorGraph) -> [RecoveredSignal] {
    var groups: [(entry: LoggerEntry, slots: [UInt8], isOpen: Bool, next: Int)] = []
    for (slot, entry) in loggers.sorted(by: { $0.key < $1.key }) {
      let continued = groups.firstIndex {
        $0.isOpen && $0.entry.source == entry.source && $0.next == entry.slice.offset
      }
      let total = graph.layout(at: entry.source)?.byteCount ?? entry.slice.length
      let next = entry.slice.offset + entry.slice.length
      if let continued {
        groups[continued].slots.append(slot)
        groups[continued].next = next
        groups[continued].isOpen = next < total
      } else {
        // Four bytes from the start of something longer are the first part of the whole.
        let isFirst =
          entry.slice.offset == 0 && entry.slice.length == LoggerEntry.chunk && total > LoggerEntry.chunk
        groups.append((entry, [slot], isFirst, next))
      }
    }
    return groups.map { group in
      let slice = group.slots.count > 1 || group.isOpen ? nil : group.entry.slice
      return RecoveredSignal(
        name: graph.name(of: group.entry.source, slice),
        layout: graph.layout(at: group.entry.source, slice), loggers: group.slots)
    }
  }
}
