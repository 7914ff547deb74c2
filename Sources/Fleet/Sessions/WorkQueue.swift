/// What waits for its turn with a board: in the order in which it came, and behind all of it what the contact is for.
/// Pure.
struct WorkQueue {
  private var units: [SessionTask] = []
  private var agenda = VisitAgenda()
  /// Routine work that waits: one of each at a time.
  private var routines: Set<SessionTask.Routine> = []

  /// Takes something to do. Returns false for routine work that waits already.
  mutating func append(_ unit: SessionTask) -> Bool {
    if let routine = unit.routine, !routines.insert(routine).inserted { return false }
    units.append(unit)
    return true
  }

  /// Takes what the contact is for.
  mutating func add(_ agenda: VisitAgenda) { self.agenda.add(agenda) }

  /// Takes the next thing to do; nil when there is none.
  mutating func next() -> SessionTask? {
    guard !units.isEmpty else { return agenda.next().map(SessionTask.agenda) }
    let unit = units.removeFirst()
    if let routine = unit.routine { routines.remove(routine) }
    return unit
  }

  /// Takes all that was asked for and had no turn.
  mutating func takeAll() -> [SessionTask] {
    defer { self = WorkQueue() }
    return units
  }
}
