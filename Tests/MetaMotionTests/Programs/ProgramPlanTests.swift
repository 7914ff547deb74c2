import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct ProgramPlanTests {
  static let minute = BoardProgram.Timer(
    periodMilliseconds: 60_000,
    actions: [
      BoardAction(.read(ReadRequest(what: "temperature", selectors: ["source": "die"]), forLog: true))
    ])
  static let beacon = BoardProgram.Event(
    .chain("presses"), [BoardAction(.beacon(BeaconCommand(major: 0)), token: .init(length: 2))])
  static let presses = Chain(from: "switch", [ChainStep("counter", ["size": 4])])
  static let program = BoardProgram(
    chains: ["presses": presses, "activity": ChainCompilerTests.activity], timers: ["minute": minute],
    events: ["press-to-beacon": beacon])

  /// A board that has carried out plans, its slots given in order.
  struct Board {
    var onBoard = BoardResources()
    var owned = ResourceSlots()
    let inventory: Inventory

    init(_ board: TestBoard = .metaMotionS) throws { inventory = try board.inventory() }

    /// What was put there.
    var places: [ResourceKey: ProgramMemory.Place] = [:]

    /// What is ours goes through the disk, and is compared with what the board holds.
    mutating func restart() throws {
      var memory = ProgramMemory()
      memory.places = places.filter { owned.owns($0.key, in: $0.value.slot) }
      memory = ProgramMemory(memory.encoded)
      places = memory.places
      owned = memory.owned(in: onBoard)
    }

    func plan(_ program: BoardProgram, capacity: Int = 8) throws -> ProgramPlan {
      let kinds = ResourceKey.Kind.allCases
      return try ProgramPlan(
        try ProgramCompiler(program, on: inventory), onBoard: onBoard, owned: owned, places: places,
        capacity: Dictionary(uniqueKeysWithValues: kinds.map { ($0, capacity) }))
    }

    @discardableResult
    mutating func apply(_ program: BoardProgram) throws -> ProgramPlan {
      let plan = try plan(program)
      let compiler = try ProgramCompiler(program, on: inventory)
      for removal in plan.removals {
        owned[removal.key] = nil
        switch removal.key.kind {
        case .processors: onBoard.processors[removal.slot] = nil
        case .timers: onBoard.timers[removal.slot] = nil
        case .events: onBoard.events[removal.slot] = nil
        case .loggers: onBoard.loggers?[removal.slot] = nil
        }
      }
      for key in plan.handedOver { owned[key] = nil }
      owned.take(plan.kept)
      for (key, slot) in owned.own {
        places[key] = compiler.resource(key, in: owned).map { .init(slot: slot, contents: $0.contents) }
      }
      for key in plan.creations {
        let slot = (0...255 as ClosedRange<UInt8>).first { !onBoard.taken(key.kind).contains($0) } ?? 0
        owned[key] = slot
        let resource = compiler.resource(key, in: owned)
        places[key] = resource.map { .init(slot: slot, contents: $0.contents) }
        switch resource {
        case .processor(let definition): onBoard.processors[slot] = definition
        case .timer(let timer): onBoard.timers[slot] = timer
        case .event(let entry): onBoard.events[slot] = entry
        case .logger(let entry): onBoard.loggers?[slot] = entry
        case nil: Issue.record("\(key) refers to what is not there")
        }
      }
      return plan
    }
  }

  @Test func `everything is created behind what it refers to`() throws {
    var board = try Board()
    let plan = try board.apply(Self.program)
    #expect(plan.removals.isEmpty)
    #expect(
      plan.differences == [
        "events/press-to-beacon added", "process/activity added", "process/presses added",
        "timers/minute added",
      ])
    #expect(board.onBoard.timers.count == 1)
    #expect(
      board.onBoard.events.values.flatMap(\.commands).map(\.hex).sorted()
        == [
          "0a020903030703" + "020500", "0a020c060004c101", "0a030000", "0a0300",
        ].sorted())
  }

  @Test func `what is there is not written again`() throws {
    var board = try Board()
    try board.apply(Self.program)
    #expect(try board.plan(Self.program).isEmpty)
    #expect(try board.plan(Self.program).differences.isEmpty)
    // Whoever has forgotten what is his finds it by what it does.
    board.owned = ResourceSlots()
    #expect(try board.plan(Self.program).isEmpty)
  }

  @Test func `what others made before us is used, and stays when we want it no longer`() throws {
    var board = try Board()
    board.onBoard.timers[3] = BoardTimer(periodMilliseconds: 60_000)
    try board.apply(Self.program)
    #expect(board.owned[.timer("minute")] == 3)
    #expect(board.onBoard.timers.count == 1)
    #expect(board.owned.slots(of: .timers).isEmpty)
    let plan = try board.apply(BoardProgram())
    #expect(!plan.removals.contains { $0.key.kind == .timers })
    #expect(
      board.onBoard.timers[3] != nil && board.onBoard.events.isEmpty && board.onBoard.processors.isEmpty)
    #expect(board.owned == ResourceSlots())
  }

  @Test func `what we made is ours beside an equal one of others`() throws {
    var board = try Board()
    try board.apply(Self.program)
    let ours = try #require(board.owned[.timer("minute")])
    board.onBoard.timers[7] = BoardTimer(periodMilliseconds: 60_000)
    let plan = try board.apply(BoardProgram())
    #expect(plan.removals.filter { $0.key.kind == .timers }.map(\.slot) == [ours])
    #expect(Array(board.onBoard.timers.keys) == [7])
  }

  @Test func `only the difference is written`() throws {
    var board = try Board()
    try board.apply(Self.program)
    var other = Self.program
    other.timers["minute"]?.periodMilliseconds = 30_000
    let plan = try board.plan(other)
    #expect(plan.differences == ["timers/minute changed"])
    #expect(plan.removals.map(\.command.hex) == ["0a0400", "0c0500"])
    #expect(plan.creations == [.timer("minute"), .event("timer.minute", 0)])
    try board.apply(other)
    #expect(try board.plan(other).isEmpty)
  }

  @Test func `a changed step takes what follows with it`() throws {
    var board = try Board()
    try board.apply(Self.program)
    var other = Self.program
    other.chains["activity"]?.steps[1] = ChainStep("average", ["depth": 8])
    let plan = try board.plan(other)
    #expect(plan.differences == ["process/activity changed"])
    #expect(plan.creations == [.processor("activity", 1), .processor("activity", 2)])
    #expect(plan.removals.map(\.command.hex) == ["090602", "090601"])
  }

  @Test func `others resources stay`() throws {
    var board = try Board()
    let foreign = try #require(
      ProcessorDefinition(bytes("09820101ff000210"), on: ProcessorOperationTests.current))
    board.onBoard.processors[5] = foreign
    board.onBoard.timers[2] = BoardTimer(periodMilliseconds: 7)
    board.onBoard.unreadable[.events] = [3]
    try board.apply(Self.program)
    let plan = try board.apply(BoardProgram())
    #expect(plan.removals.count == 7)
    #expect(board.onBoard.processors == [5: foreign])
    #expect(board.onBoard.timers.keys.sorted() == [2])
  }

  @Test func `what others build on stays too`() throws {
    var board = try Board()
    try board.apply(BoardProgram(chains: ["presses": Self.presses]))
    board.onBoard.processors[9] = ProcessorDefinition(
      bytes("09820903006002" + "1c"), on: ProcessorOperationTests.current)
    #expect(try board.plan(BoardProgram()).removals.isEmpty)
  }

  @Test func `too few slots are refused before anything is written`() throws {
    let board = try Board()
    let failure = try #require(throws: CommandFailure.self) { try board.plan(Self.program, capacity: 3) }
    #expect(failure.code == .noSlots)
    #expect(failure.data["needed"] == 4)
    #expect(failure.data["free"] == 3)
  }

  @Test func `slots that become free count`() throws {
    var board = try Board()
    try board.apply(BoardProgram(timers: ["a": .init(periodMilliseconds: 1)]))
    #expect(throws: Never.self) {
      try board.plan(BoardProgram(timers: ["a": .init(periodMilliseconds: 2)]), capacity: 1)
    }
    board.owned = ResourceSlots()
    let failure = try #require(throws: CommandFailure.self) {
      try board.plan(BoardProgram(timers: ["a": .init(periodMilliseconds: 2)]), capacity: 1)
    }
    #expect(failure.data["owners"] == ["foreign"])
  }

  @Test func `equal things take a slot each`() throws {
    var board = try Board()
    let timer = BoardProgram.Timer(periodMilliseconds: 5)
    try board.apply(BoardProgram(timers: ["a": timer, "b": timer]))
    #expect(board.onBoard.timers.count == 2)
    #expect(try board.plan(BoardProgram(timers: ["a": timer, "b": timer])).isEmpty)
    #expect(try board.plan(BoardProgram(timers: ["b": timer])).removals == [.init(key: .timer("a"), slot: 0)])
  }

  /// Three things of equal content, of each kind.
  private static func equal(_ names: [String]) -> [BoardProgram] {
    let timer = BoardProgram.Timer(periodMilliseconds: 5, actions: [BoardAction(.led(.play))])
    let event = BoardProgram.Event(.button(isPressed: true), [BoardAction(.led(.play))])
    let chain = Chain(from: "switch", [ChainStep("counter", ["size": 4]), ChainStep("passthrough", [:])])
    return [
      BoardProgram(timers: Dictionary(uniqueKeysWithValues: names.map { ($0, timer) })),
      BoardProgram(events: Dictionary(uniqueKeysWithValues: names.map { ($0, event) })),
      BoardProgram(chains: Dictionary(uniqueKeysWithValues: names.map { ($0, chain) })),
    ]
  }

  /// Whether a slot belongs to what has this name; the button of an event needs a processor of its own, `a.edge`.
  private static func isPart(_ key: ResourceKey, of name: String) -> Bool {
    key.words.split(separator: "/").last?.split(separator: ".").first.map(String.init) == name
  }

  @Test(
    arguments: [
      ["a", "b"], ["b", "a"], ["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"], ["b", "a", "c"],
    ], [false, true])
  func `F120 equal things are made and removed one by one, whatever their names, across links and restarts`(
    names: [String], isForgotten: Bool
  ) throws {
    for kind in 0..<3 {
      var board = try Board()
      var wanted: [String] = []
      for name in names {
        wanted.append(name)
        let before = board.owned.byKey
        let plan = try board.apply(Self.equal(wanted)[kind])
        #expect(plan.removals.isEmpty && !plan.creations.isEmpty && plan.handedOver.isEmpty)
        #expect(plan.creations.filter { !Self.isPart($0, of: name) }.isEmpty)
        // Nobody's slot becomes another's.
        for (key, slot) in before { #expect(board.owned[key] == slot) }
        if isForgotten { try board.restart() }
        #expect(try board.plan(Self.equal(wanted)[kind]).isEmpty)
      }
      #expect(board.owned.borrowed.isEmpty)
      for name in names {
        wanted.removeAll { $0 == name }
        let gone = board.owned.byKey.filter { Self.isPart($0.key, of: name) }
        let plan = try board.apply(Self.equal(wanted)[kind])
        #expect(Set(plan.removals.map(\.slot)) == Set(gone.values) && plan.creations.isEmpty)
        if isForgotten { try board.restart() }
      }
      #expect(board.onBoard.taken(.processors).isEmpty && board.onBoard.taken(.timers).isEmpty)
      #expect(board.onBoard.taken(.events).isEmpty)
    }
  }

  @Test func `F120 a new name for the same content takes its slot over, and it is still ours`() throws {
    for (old, new) in [("a", "b"), ("b", "a")] {
      for kind in 0..<3 {
        var board = try Board()
        try board.apply(Self.equal([old])[kind])
        let plan = try board.apply(Self.equal([new])[kind])
        #expect(plan.isEmpty)
        #expect(!plan.handedOver.isEmpty && board.owned.borrowed.isEmpty)
        try board.apply(BoardProgram())
        #expect(board.onBoard.taken(.processors).isEmpty && board.onBoard.taken(.timers).isEmpty)
        #expect(board.onBoard.taken(.events).isEmpty)
      }
    }
  }

  /// A chain whose boundary every press moves (protocol reference, section 14.5).
  private static func feedback(boundary: Int64 = 8) -> BoardProgram {
    BoardProgram(
      chains: [
        "presses": presses,
        "high": Chain(from: "presses", [ChainStep("threshold", ["boundary": .integer(boundary)])]),
      ],
      events: [
        "raise": .init(
          .chain("presses"),
          [
            BoardAction(
              .processor(ProcessorChange(chain: "high", .parameters(["boundary": 1]))),
              token: .init(length: 4, destination: 3))
          ])
      ])
  }

  @Test func `what the board changed by itself is not written again, link after link`() throws {
    var board = try Board()
    try board.apply(Self.feedback())
    let slot = try #require(board.owned[.processor("high", 0)])
    var changed = try #require(board.onBoard.processors[slot])
    changed.operation = try #require(
      try board.inventoryThreshold(boundary: 1_000, like: changed))
    board.onBoard.processors[slot] = changed
    for _ in 0..<3 { #expect(try board.apply(Self.feedback()).isEmpty) }
    #expect(board.onBoard.processors.count == 2)
    // What is wanted otherwise is written, and what somebody else changed is his.
    #expect(try !board.plan(Self.feedback(boundary: 9)).isEmpty)
    board.onBoard.events = [:]
    #expect(try board.plan(Self.feedback()).creations.contains(.processor("high", 0)))
  }
}

extension ProgramPlanTests.Board {
  /// The operation that the board would hold with another boundary.
  fileprivate func inventoryThreshold(
    boundary: Int64, like definition: ProcessorDefinition
  ) throws -> (any ProcessorOperation)? {
    let program = BoardProgram(chains: [
      "presses": ProgramPlanTests.presses,
      "high": Chain(from: "presses", [ChainStep("threshold", ["boundary": .integer(boundary)])]),
    ])
    let compiler = try ProgramCompiler(program, on: inventory)
    guard case .processor(let other)? = compiler.resource(.processor("high", 0), in: owned) else {
      return nil
    }
    return other.operation
  }
}
