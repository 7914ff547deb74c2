import Testing

@testable import BlueZ

@Suite struct ReadEchoTests {
  @Test func withoutAReadEveryValueIsANotification() {
    var echo = ReadEcho()
    #expect(echo.signalled([1]) == [[1]])
    #expect(echo.signalled([1]) == [[1]])
  }

  @Test func theEchoOfAReadIsNone() {
    var echo = ReadEcho()
    echo.beganRead()
    #expect(echo.signalled([7]) == [])
    #expect(echo.endedRead([7]) == [])
    #expect(echo.signalled([7]) == [[7]])
  }

  @Test func notificationsDuringAReadAreDeliveredInOrderAfterIt() {
    var echo = ReadEcho()
    echo.beganRead()
    for value: [UInt8] in [[7], [1], [7], [2]] { #expect(echo.signalled(value) == []) }
    #expect(echo.endedRead([7]) == [[7], [1], [2]])
  }

  @Test func aFailedReadHasNoEcho() {
    var echo = ReadEcho()
    echo.beganRead()
    #expect(echo.signalled([7]) == [])
    #expect(echo.endedRead(nil) == [[7]])
  }

  @Test func twoReadsAtOnceHaveTwoEchoes() {
    var echo = ReadEcho()
    echo.beganRead()
    echo.beganRead()
    for value: [UInt8] in [[7], [1], [8]] { #expect(echo.signalled(value) == []) }
    #expect(echo.endedRead([7]) == [])
    #expect(echo.endedRead([8]) == [[1]])
  }
}
