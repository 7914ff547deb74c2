import Foundation
import Simulator
import Testing

/// A file of the protocol reference's test vectors (section 39 there), as far as a board needs it.
struct VectorFile: Decodable {
  struct Case: Decodable, CustomTestStringConvertible {
    struct Board: Decodable {
      let model: Int
      let fw: String
      let modules: [String: String]
    }

    /// What comes of it; of interest is only over which characteristic each step of a transfer goes.
    struct Expectation: Decodable {
      private enum Key: String, CodingKey { case channels }

      let channels: [String]

      init(from decoder: any Decoder) {
        channels = (try? decoder.container(keyedBy: Key.self).decode([String].self, forKey: .channels)) ?? []
      }
    }

    let name: String
    let kind: String
    let board: Board
    let writes: [String]
    let inject: [String]
    let order: String?
    let expect: Expectation?

    var testDescription: String { name }

    /// The board that the case was made with.
    var boardModel: BoardModel {
      let modules = board.modules.map { (UInt8($0.key.dropFirst(2), radix: 16) ?? 0, [UInt8](hex: $0.value)) }
      return BoardModel(
        key: "vector", modelNumber: String(board.model), firmwareRevision: board.fw, hardwareRevision: "0.1",
        modules: Dictionary(uniqueKeysWithValues: modules).filter { $0.value.count > 2 }
          .mapValues { Array($0.dropFirst(2)) })
    }
  }

  let cases: [Case]

  static func cases(_ areas: String...) -> [Case] {
    areas.flatMap { area -> [Case] in
      guard let url = Bundle.module.url(forResource: area, withExtension: "json", subdirectory: "Vectors"),
        let data = try? Data(contentsOf: url),
        let file = try? JSONDecoder().decode(VectorFile.self, from: data)
      else {
        Issue.record("the vectors of \(area) cannot be read")
        return []
      }
      return file.cases
    }
  }
}
