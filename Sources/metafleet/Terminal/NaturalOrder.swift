import Foundation

/// The order in which people look for names: `Demo 2` before `Demo 10`, capitals do not count.
enum NaturalOrder {
  static func isBefore(_ left: String, _ right: String) -> Bool {
    left.compare(right, options: [.numeric, .caseInsensitive]) == .orderedAscending
  }
}
