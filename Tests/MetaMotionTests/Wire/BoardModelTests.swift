import BoardKit
import Testing

@testable import MetaMotion

struct BoardModelTests {
  @Test(arguments: [("5", true, "MetaMotion R"), ("5", false, "MetaMotion RL"), ("8", false, "MetaMotion S")])
  func `models are told apart`(number: String, light: Bool, name: String) throws {
    #expect(try BoardModel(modelNumber: number, hasAmbientLight: light).rawValue == name)
  }

  @Test(arguments: ["", "0", "6", "55"])
  func `others are left alone`(number: String) {
    let failure = #expect(throws: ProtocolFailure.self) {
      try BoardModel(modelNumber: number, hasAmbientLight: true)
    }
    guard case .unknownModel(let message) = failure else {
      Issue.record("wrong failure")
      return
    }
    #expect(message.contains("\"\(number)\""))
  }
}
