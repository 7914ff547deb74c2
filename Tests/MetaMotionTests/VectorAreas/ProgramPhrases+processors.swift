import BoardKit
import FleetModel

@testable import MetaMotion

/// Making and changing processors.
extension ProgramPhrases {
  mutating func create(_ phrase: String, _ number: String, on stage: inout VectorStage) throws -> Bool {
    guard let match = phrase.wholeMatch(of: #/create (.+?) on (.+)/#) else {
      guard ["RSS", "average 16", "threshold 0.3 g (binary)", "comparators -1 and +1"].contains(phrase) else {
        return false
      }
      return try createFreeFall(phrase, on: &stage)
    }
    var words = String(match.1)
    if let fused = String(match.2).wholeMatch(of: #/(.+) with 1 extra buffered signal\(s\)/#) {
      let other = try signal("angular velocity (BMI160)")
      let buffer = try add(Buffer(of: other.layout), to: other, on: &stage)
      return try add(Fuser([buffer]), to: try signal(String(fused.1)), number, on: &stage) >= 0
    }
    let source = try signal(String(match.2))
    if words.hasPrefix("4-byte ") {
      words.removeFirst(7)
      return try add(Accumulator(.count, of: source.layout, size: 4), to: source, number, on: &stage) >= 0
    }
    let operation = try operation(words, on: source.layout)
    _ = try add(operation, to: source, number, on: &stage)
    return true
  }

  private mutating func createFreeFall(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    let last = graph.slots.keys.max().map { SignalAddress.output(ofProcessor: $0) }
    let layout = last.flatMap { graph.layout(at: $0) }
    let chained = try? Signal(address: NotUnderstood.unless(last), layout: NotUnderstood.unless(layout))
    switch phrase {
    case "RSS":
      let source = try signal("acceleration")
      _ = try add(Combiner(.rss, of: source.layout), to: source, on: &stage)
    case "average 16":
      let source = try NotUnderstood.unless(chained)
      _ = try add(Average(of: source.layout, depth: 16, on: dialect), to: source, on: &stage)
    case "threshold 0.3 g (binary)":
      let source = try NotUnderstood.unless(chained)
      _ = try add(Threshold(.binary, boundary: 0.3, of: source.layout), to: source, on: &stage)
    default:
      let source = try NotUnderstood.unless(chained)
      for value in [-1.0, 1] {
        let comparator = Comparator(.equal, [value], of: source.layout, on: dialect)
        _ = try add(comparator, to: source, on: &stage)
      }
    }
    return true
  }

  private mutating func add(
    _ operation: any ProcessorOperation, to source: Signal, _ number: String = "", on stage: inout VectorStage
  ) throws -> UInt8 {
    let definition = ProcessorDefinition(on: source.heardByProcessors(on: dialect), operation)
    stage.writes.append(definition.command)
    // Where a case gives no slot, the lowest free one does.
    let free = UInt8(graph.slots.count)
    let slot = stage.takeAnswer(Processor.creation).flatMap(Processor.slot) ?? free
    graph.slots[slot] = definition
    objects[number] = .processor(slot, input: source.layout)
    return slot
  }

  private func operation(_ words: String, on input: SampleLayout) throws -> any ProcessorOperation {
    if let match = words.wholeMatch(of: #/threshold mode binary boundary (.+) hysteresis (.+)/#) {
      return Threshold(.binary, boundary: double(match.1), hysteresis: double(match.2), of: input)
    }
    if let match = words.wholeMatch(of: #/comparator (\w+) (.+)/#) {
      return try Comparator(comparison(match.1), [double(match.2)], of: input, on: dialect)
    }
    if let match = words.wholeMatch(
      of: #/multi-value comparator op (\w+) mode (\w+) references \[(.+)\]/#)
    {
      let references = match.3.split(separator: ", ").map { double($0) }
      let mode = match.2 == "absolute" ? Comparator.Mode.absolute : .reference
      return try Comparator(comparison(match.1), references, mode, of: input, on: dialect)
    }
    if let match = words.wholeMatch(of: #/(time|count) accounter/#) {
      return Accounter(match.1 == "time" ? .tick : .number, of: input)
    }
    if let match = words.wholeMatch(of: #/packer of (\d+)/#) { return Packer(Int(match.1) ?? 1, of: input) }
    if let match = words.wholeMatch(of: #/averager \(size (\d+)\)/#) {
      return Average(of: input, depth: UInt8(match.1) ?? 1, on: dialect)
    }
    if let match = words.wholeMatch(of: #/math (\w+) rhs (.+)/#) {
      let kinds: [Substring: MathOperation.Kind] = [
        "modulus": .modulus, "constant": .constant, "subtract": .subtract,
      ]
      return try MathOperation(
        NotUnderstood.unless(kinds[match.1]), double(match.2), of: input, on: dialect)
    }
    if let match = words.wholeMatch(of: #/time limiter mode absolute period (\d+) ms/#) {
      return TimeLimiter(.absolute, milliseconds: UInt32(match.1) ?? 0, of: input, on: dialect)
    }
    if let match = words.wholeMatch(of: #/pulse output peak threshold (.+) width (\d+) samples/#) {
      return Pulse(.peak, threshold: double(match.1), samples: UInt16(match.2) ?? 0, of: input)
    }
    if let match = words.wholeMatch(of: #/passthrough mode count value (\d+)/#) {
      return Passthrough(.count, count: UInt16(match.1) ?? 0)
    }
    if let match = words.wholeMatch(of: #/delta mode differential magnitude (.+)/#) {
      return Delta(.differential, magnitude: double(match.1), of: input)
    }
    switch words {
    case "accumulator": return Accumulator(.sum, of: input, size: input.elementLength)
    case "counter": return Accumulator(.count, of: input, size: 1)
    case "RSS": return Combiner(.rss, of: input)
    default: throw NotUnderstood(description: "no processor: \(words)")
    }
  }

  mutating func change(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(
      of: #/set (?:running sum|count|delta reference|passthrough value) of object #(\d+) to (.+)/#)
    {
      let (slot, input) = try slot(match.1)
      let bytes = graph.slots[slot]?.operation.stateBytes(double(match.2), of: input)
      // A processor without a state is not told anything.
      if let bytes { stage.writes.append(Processor.setState(slot, bytes)) }
      return true
    }
    if let match = phrase.wholeMatch(of: #/reset averager object #(\d+)/#) {
      return stage.write(Processor.setState(try slot(match.1).slot))
    }
    if let match = phrase.wholeMatch(of: #/modify comparator object #(\d+) to (\w+) (.+)/#) {
      let (slot, input) = try slot(match.1)
      let comparator = try Comparator(comparison(match.2), [double(match.3)], of: input, on: dialect)
      return stage.write(Processor.modify(slot, to: comparator))
    }
    if let match = phrase.wholeMatch(of: #/modify math object #(\d+) rhs from the value of (.+)/#) {
      let slot = try slot(match.1).slot
      let math = try NotUnderstood.unless(graph.slots[slot]?.operation)
      let length = try signal(String(match.2)).layout.byteCount
      tokens[stage.writes.count] = DataToken(
        length: UInt8(length), destination: MathOperation.rightSideOffset)
      return stage.write(Processor.modify(slot, to: math))
    }
    if let match = phrase.wholeMatch(of: #/remove object #(\d+)/#) {
      for slot in graph.removalOrder(of: try slot(match.1).slot) {
        stage.writes.append(Processor.remove(slot))
        for event in events where event.source == .output(ofProcessor: slot) {
          stage.writes.append(EventEntry.remove(event.slot))
        }
        graph.slots[slot] = nil
      }
      return true
    }
    if let subscription = SubscriptionPhrase(phrase) {
      guard let match = subscription.signal.wholeMatch(of: #/object #(\d+)/#) else { return false }
      let slot = try slot(match.1).slot
      stage.writes += subscription.isOn ? Processor.subscribe(slot) : [Processor.unsubscribe(slot)]
      return true
    }
    if phrase == "stream both" {
      for slot in graph.slots.keys.sorted().suffix(2) { stage.writes += Processor.subscribe(slot) }
      return true
    }
    return false
  }

  private func double(_ text: Substring) -> Double { Double(text) ?? .nan }

  private func comparison(_ word: Substring) throws -> Comparator.Operation {
    let words: [Substring: Comparator.Operation] = [
      "eq": .equal, "neq": .notEqual, "lt": .less, "lte": .lessOrEqual, "gt": .greater,
      "gte": .greaterOrEqual,
    ]
    return try NotUnderstood.unless(words[word])
  }
}
