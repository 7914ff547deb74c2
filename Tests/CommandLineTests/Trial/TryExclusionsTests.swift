import Testing

@testable import metafleet

@Suite struct TryExclusionsTests {
  @Test func `nothing is left out on a board that holds nothing of others`() {
    let exclusions = TryExclusions(foreign: [])
    #expect(exclusions.led == nil && exclusions.haptic == nil && exclusions.acceleration == nil)
  }

  @Test func `F180 a board that logs is not shaken, and its sensors are left alone`() {
    let exclusions = TryExclusions(foreign: ["logger/0", "logger/1"])
    #expect(exclusions.led == nil)
    #expect(exclusions.haptic?.hasPrefix("the board logs for somebody (logger/0, logger/1)") == true)
    #expect(exclusions.acceleration?.hasPrefix("the board works for somebody (logger/0, logger/1)") == true)
  }

  @Test func `a processor may need its sensor, and neither LED nor motor`() {
    let exclusions = TryExclusions(foreign: ["processor/0"])
    #expect(exclusions.led == nil && exclusions.haptic == nil)
    #expect(exclusions.acceleration?.contains("(processor/0)") == true)
  }

  @Test(arguments: ["timer/0", "event/2", "macro/1"])
  func `F180 what a program on the board may use is left alone`(_ slot: String) {
    let exclusions = TryExclusions(foreign: ["processor/0", slot])
    #expect(exclusions.led == "the board runs a program of somebody (\(slot)) that may use it")
    #expect(exclusions.haptic == exclusions.led)
    #expect(exclusions.acceleration != nil)
  }

  @Test func `F180 where the board's slots cannot be read all of it is left alone`() {
    let exclusions = TryExclusions(foreign: nil)
    #expect(exclusions.led != nil && exclusions.haptic != nil && exclusions.acceleration != nil)
  }

  @Test func `a sensor that runs for others is named, unless there was a reason already`() {
    var exclusions = TryExclusions(foreign: [])
    exclusions.take(running: [])
    #expect(exclusions.acceleration == nil)
    exclusions.take(running: ["accelerometer"])
    #expect(exclusions.acceleration?.hasPrefix("the accelerometer runs for somebody") == true)
    var logging = TryExclusions(foreign: ["logger/0"])
    let before = logging
    logging.take(running: ["accelerometer"])
    #expect(logging == before)
  }
}
