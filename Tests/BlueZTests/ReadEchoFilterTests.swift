import Testing

@testable import BlueZ

@Suite struct ReadEchoFilterTests {
  @Test func `without a read every value is a notification`() {
    var echo = ReadEchoFilter()
    #expect(echo.signalled([1]) == [[1]])
    #expect(echo.signalled([1]) == [[1]])
  }

  @Test func `the echo of a read is none`() {
    var echo = ReadEchoFilter()
    echo.beganRead()
    #expect(echo.signalled([7]) == [])
    #expect(echo.endedRead([7]) == [])
    #expect(echo.signalled([7]) == [[7]])
  }

  @Test func `notifications during a read are delivered in order after it`() {
    var echo = ReadEchoFilter()
    echo.beganRead()
    for value: [UInt8] in [[7], [1], [7], [2]] { #expect(echo.signalled(value) == []) }
    #expect(echo.endedRead([7]) == [[7], [1], [2]])
  }

  @Test func `a failed read has no echo`() {
    var echo = ReadEchoFilter()
    echo.beganRead()
    #expect(echo.signalled([7]) == [])
    #expect(echo.endedRead(nil) == [[7]])
  }

  @Test func `two reads at once have two echoes`() {
    var echo = ReadEchoFilter()
    echo.beganRead()
    echo.beganRead()
    for value: [UInt8] in [[7], [1], [8]] { #expect(echo.signalled(value) == []) }
    #expect(echo.endedRead([7]) == [])
    #expect(echo.endedRead([8]) == [[1]])
  }
}
