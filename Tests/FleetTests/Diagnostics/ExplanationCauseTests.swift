import Dialects
import FleetModel
import Testing

@testable import Fleet

/// Every cause, one by one: alone, beside boards that are well, and when it is over.
@Suite struct ExplanationCauseTests {
  private static func check(_ explanation: Explanation, _ seed: ExplanationSeed) throws {
    let cause = try #require(explanation.causes.first { $0.code == seed.code }, "\(explanation)")
    #expect(cause.text.contains(seed.words), "\(cause.text)")
    #expect(cause.isFault == seed.isFault)
    #expect(explanation.isFine != seed.isFault, "\(explanation)")
    // What is no fault is said besides; what is one comes first, but where data are missing for another reason, too.
    if seed.isFault, ![.batteryEmpty, .notInSync].contains(seed.code) {
      #expect(explanation.causes.first?.code == seed.code, "\(explanation.causes)")
    }
  }

  @Test(arguments: ExplanationSeed.all)
  func `F177 each cause is told with what to do, and whether the board does what it should`(
    _ seed: ExplanationSeed
  ) throws {
    var example = ExplanationExample()
    example.publish(seed.documents)
    try Self.check(example.explain(heard: seed.heard), seed)
  }

  @Test(arguments: ExplanationSeed.all)
  func `F177 beside twenty boards that are well the cause is the same, and none of them has it`(
    _ seed: ExplanationSeed
  ) throws {
    var example = ExplanationExample()
    example.publishOthers(of: seed.isOfGateway ? "g2" : "g1", over: "001a7dda7199")
    example.publish(seed.documents)
    let explanation = example.explain(heard: seed.heard)
    let isScan = seed.code == .adapterNotScanning || seed.code == .adapterDeaf
    // An adapter that listens is there.
    if isScan {
      #expect(explanation.causes.map(\.code) == [.silentSince])
    } else {
      try Self.check(explanation, seed)
    }
    let other = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001))
    #expect(example.explain(other).isFine, "\(example.explain(other))")
  }

  @Test(arguments: ExplanationSeed.all)
  func `F177 when a cause is over nothing is left of it`(_ seed: ExplanationSeed) {
    var example = ExplanationExample()
    example.publish(seed.documents)
    example.publish(ExplanationExample.healthy)
    #expect(
      example.explain(heard: ["acceleration"])
        == Explanation(
          summary: "receiving data (streaming), just now acceleration", hasData: true, causes: [], next: []))
  }

  @Test func `F177 every code has a seed`() {
    #expect(Set(ExplanationSeed.all.map(\.code)) == Set(Explanation.Code.allCases))
  }

  @Test(arguments: ReasonCode.allCases)
  func `F176 nobody is told to restart Bluetooth while other boards are connected to the gateway`(
    _ code: ReasonCode
  ) {
    for link in LinkPhase.allCases {
      for availability in Availability.Reason.allCases {
        var example = ExplanationExample()
        example.publishOthers(of: "g1", over: "001a7dda7199")
        example.publish([
          "\(ExplanationExample.root)/availability":
            #"{"state":"\#(availability.state.rawValue)","reason":"\#(availability.rawValue)"}"#,
          "\(ExplanationExample.root)/state":
            #"{"link":"\#(link.rawValue)","gw":"g1","reason":"x","reason_code":"\#(code.rawValue)"}"#,
          "gateway/g1/health": #"{"bluetooth_ok":0,"storage":"ok"}"#,
        ])
        for cause in example.explain().causes {
          #expect(!cause.text.contains("bluetooth: ") && !cause.text.contains("systemctl"), "\(cause)")
          #expect(cause.code != .bluetoothDown)
        }
      }
    }
  }

  @Test(arguments: ReasonCode.allCases)
  func `F177 a board that brings no data has a cause and advice, whatever its documents say`(
    _ code: ReasonCode
  ) {
    for link in LinkPhase.allCases.map(\.rawValue) + ["novel"] {
      for availability in Availability.Reason.allCases.map(\.rawValue) + ["novel"] {
        for words in ["", #","reason":"x","reason_code":"\#(code.rawValue)""#] {
          var example = ExplanationExample()
          example.publish([
            "\(ExplanationExample.root)/availability": #"{"state":"unknown","reason":"\#(availability)"}"#,
            "\(ExplanationExample.root)/state": #"{"link":"\#(link)","gw":"g1"\#(words)}"#,
          ])
          let explanation = example.explain()
          #expect(explanation.hasData || !explanation.isFine && explanation.causes.contains(where: \.isFault))
          #expect(explanation.causes.allSatisfy { $0.text.count > 20 })
        }
      }
    }
  }
}
