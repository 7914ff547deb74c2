import Testing

@testable import Simulator

struct StimulusTests {
  @Test func `What lasts has an end, and what ends by itself has none`() {
    let remedies: [(Stimulus, Stimulus?)] = [
      (.press, .release), (.release, nil), (.motion(.tap), nil), (.motion(.turn(.upright)), nil),
      (.pin(2, .high), .pin(2, .open)), (.pin(2, .millivolts(5)), .pin(2, .open)), (.pin(2, .open), nil),
      (.charger(isPluggedIn: true), .charger(isPluggedIn: false)), (.charger(isPluggedIn: false), nil),
      (.surroundings(.light, 5), .surroundings(.light, nil)), (.surroundings(.light, nil), nil),
    ]
    for (stimulus, remedy) in remedies { #expect(stimulus.remedy == remedy) }
  }
}
