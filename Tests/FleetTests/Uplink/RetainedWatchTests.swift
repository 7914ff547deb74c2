import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct RetainedWatchTests {
  private func message(_ topic: String, _ text: String) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(text.utf8), isRetained: true)
  }

  private func watch(_ documents: [String: String]) -> RetainedWatch {
    var watch = RetainedWatch()
    watch.know(documents.map { OutgoingMessage(message($0.key, $0.value), .state) })
    return watch
  }

  @Test func `F260 what others do to a document is looked at once, some seconds later, all together`() {
    var watch = watch(["a": "1", "b": "2", "c": "3"])
    let cleared = watch.saw("a", [], at: .seconds(10))
    let altered = watch.saw("b", Array("x".utf8), at: .seconds(11))
    let same = watch.saw("c", Array("3".utf8), at: .seconds(11))
    let foreign = watch.saw("z", [], at: .seconds(11))
    #expect(cleared && altered && !same && !foreign)
    #expect(watch.wait(at: .seconds(10)) == RetainedWatch.delay)
    #expect(watch.beginLook(at: .seconds(11)) == [])
    let topics = watch.beginLook(at: .seconds(12))
    #expect(topics == ["a", "b"])
    #expect(
      watch.endLook(at: topics, stale: ["a", "b"], at: .seconds(13)) == ["a": .cleared, "b": .altered])
    #expect(watch.wait(at: .seconds(13)) == nil)
  }

  @Test func `F260 what was said anew meanwhile, by us or as we had said it, is in order`() {
    var watch = watch(["a": "1", "b": "2", "c": "3"])
    for topic in ["a", "b", "c"] { _ = watch.saw(topic, [], at: .zero) }
    let topics = watch.beginLook(at: .seconds(2))
    watch.says(message("a", "4"))
    _ = watch.saw("b", Array("2".utf8), at: .seconds(2))
    #expect(watch.endLook(at: topics, stale: ["a", "b", "c"], at: .seconds(3)) == ["c": .cleared])
  }

  @Test func `F260 a document that is as it should be was not done anything to`() {
    var watch = watch(["a": "1"])
    _ = watch.saw("a", Array("x".utf8), at: .zero)
    let topics = watch.beginLook(at: .seconds(2))
    #expect(watch.endLook(at: topics, stale: [], at: .seconds(3)) == [:])
    // Nothing was said again, so that nothing has to wait.
    _ = watch.saw("a", [], at: .seconds(4))
    #expect(watch.wait(at: .seconds(4)) == RetainedWatch.delay)
  }

  @Test func `F260 who goes on is answered less and less often, at last every ten minutes`() {
    var watch = watch(["a": "1"])
    var (now, pauses) = (Duration.zero, [Duration]())
    for _ in 0..<10 {
      _ = watch.saw("a", [], at: now)
      let wait = watch.wait(at: now) ?? .zero
      pauses.append(wait)
      now += wait
      _ = watch.endLook(at: watch.beginLook(at: now), stale: ["a"], at: now)
    }
    #expect(pauses.prefix(4) == [.seconds(2), .seconds(5), .seconds(10), .seconds(20)])
    #expect(pauses.last == RetainedWatch.longestPause)
    // Whoever left it alone for long is somebody else.
    now += .seconds(1_300)
    _ = watch.saw("a", [], at: now)
    #expect(watch.wait(at: now) == RetainedWatch.delay)
  }

  @Test func `F260 others are heard where there are documents of ours, and on a new connection anew`() {
    var watch = watch(["a": "1", "b": "2"])
    let first = watch.takeTopics()
    #expect(first.new == ["a", "b"] && first.old == [] && !watch.hasNewTopics)
    watch.says(message("a", "3"))
    #expect(!watch.hasNewTopics)
    watch.says(message("a", ""))
    watch.says(message("c", "1"))
    let second = watch.takeTopics()
    #expect(second.new == ["c"] && second.old == ["a"])
    watch.closed()
    #expect(watch.hasNewTopics)
    let third = watch.takeTopics()
    #expect(third.new == ["b", "c"] && third.old == [])
  }

  @Test func `F68 what is on its way when the broker is looked at is no news there`() {
    var watch = RetainedWatch()
    watch.says(message("z", "1"))
    watch.beginAudit()
    watch.isWaiting(on: ["a"])
    watch.says(message("b", "1"))
    #expect(watch.looked(at: ["a", "b", "z"], seeing: [], isFirst: true) == ["z"])
    watch.beginAudit()
    #expect(watch.looked(at: ["b"], seeing: [], isFirst: true) == ["b"])
  }

  @Test
  func `F260 what the broker never shows is said again once by a look, and at the beginning of a connection`()
  {
    var watch = watch(["a": "1", "b": "2"])
    let looks = [
      watch.looked(at: ["a", "b"], seeing: [], isFirst: true),
      watch.looked(at: ["a", "b"], seeing: [], isFirst: false),
      watch.looked(at: ["a"], seeing: ["b"], isFirst: false),
      watch.looked(at: ["a", "b"], seeing: [], isFirst: false),
      watch.looked(at: ["a", "b"], seeing: [], isFirst: true),
    ]
    #expect(looks == [["a", "b"], ["a", "b"], [], ["b"], ["a", "b"]])
  }

  @Test func `F260 subscriptions that end for another reason are made anew`() {
    var watch = watch(["a": "1", "b": "2"])
    _ = watch.takeTopics()
    watch.lost(["b", "z"])
    let isNew = watch.hasNewTopics
    let topics = watch.takeTopics()
    watch.lost(["z"])
    #expect(isNew && topics.new == ["b"] && topics.old == [] && !watch.hasNewTopics)
  }

  @Test func `F263 what was said before something newer is not said again`() {
    var watch = RetainedWatch()
    #expect(watch.isLatest(message("a", "1")))
    watch.says(message("a", "1"))
    #expect(watch.isLatest(message("a", "1")))
    watch.says(message("a", "2"))
    #expect(!watch.isLatest(message("a", "1")) && watch.isLatest(message("a", "2")))
  }

  @Test func `a message that is not retained alters nothing`() {
    var watch = RetainedWatch()
    watch.says(MQTTMessage(topic: "a", payload: [1]))
    #expect(!watch.hasNewTopics && watch.looked(at: ["a"], seeing: [], isFirst: true) == ["a"])
  }
}
