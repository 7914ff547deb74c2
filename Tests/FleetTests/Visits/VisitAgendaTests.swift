import Testing

@testable import Fleet

/// What a contact is for, in order.
@Suite struct VisitAgendaTests {
  private func order(_ agenda: VisitAgenda) -> [VisitAgenda.Item] {
    var agenda = agenda
    var items: [VisitAgenda.Item] = []
    while let item = agenda.next() { items.append(item) }
    return items
  }

  @Test func `a visit looks reads and brings home before it leaves`() {
    #expect(
      order(VisitAgenda(isDue: true, isVisit: true, hasLog: true, downloads: true))
        == [.clock, .battery, .reads, .download, .leave])
  }

  @Test func `whoever comes for a command does not stay for a download`() {
    #expect(
      order(VisitAgenda(isDue: false, isVisit: true, hasLog: true, downloads: false))
        == [.clock, .battery, .leave])
  }

  @Test func `a held link is not left`() {
    #expect(
      order(VisitAgenda(isDue: true, isVisit: false, hasLog: true, downloads: true)) == [.clock, .download])
  }

  @Test func `without a log there is nothing to bring home`() {
    #expect(
      order(VisitAgenda(isDue: true, isVisit: true, hasLog: false, downloads: true)) == [
        .battery, .reads, .leave,
      ])
  }

  @Test func `what is added keeps the order`() {
    var agenda = VisitAgenda([.leave])
    agenda.add(VisitAgenda([.download]))
    #expect(order(agenda) == [.download, .leave])
    #expect(VisitAgenda().isEmpty)
  }
}
