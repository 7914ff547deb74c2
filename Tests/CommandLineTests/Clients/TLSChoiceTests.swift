import FleetModel
import Testing

@testable import metafleet

@Suite struct TLSChoiceTests {
  private let file = TLSConfiguration(authority: "/f/ca", certificate: "/f/cert", key: "/f/key")

  @Test func `nothing said is what the file says`() {
    #expect(TLSChoice().laid(over: file) == file)
    #expect(TLSChoice().laid(over: nil) == nil)
  }

  @Test func `a file of TLS says that it is wanted, unless somebody says no`() {
    #expect(TLSChoice(authority: "/ca").laid(over: nil) == TLSConfiguration(authority: "/ca"))
    #expect(TLSChoice(isWanted: true).laid(over: nil) == TLSConfiguration())
    #expect(TLSChoice(isWanted: false).laid(over: file) == nil)
    #expect(
      TLSChoice(authority: "/ca").laid(over: file)
        == TLSConfiguration(authority: "/ca", certificate: "/f/cert", key: "/f/key"))
  }

  @Test func `an option goes before the environment, also where it only names a file`() {
    let environment = TLSChoice(isWanted: false, authority: "/e/ca")
    #expect(
      TLSChoice(authority: "/o/ca").or(environment).laid(over: nil) == TLSConfiguration(authority: "/o/ca"))
    #expect(TLSChoice(isWanted: true).or(environment) == TLSChoice(isWanted: true, authority: "/e/ca"))
    #expect(TLSChoice().or(environment).laid(over: file) == nil)
  }

  private func files(_ finding: FileReferences.Finding) -> FileReferences {
    FileReferences(directory: "/here", credentials: "/credentials") { _ in finding }
  }

  @Test func `files are those of the working directory, or of systemd`() throws {
    let readable = files(.readable(isWorldReadable: false))
    let choice = TLSConfiguration(authority: "ca", certificate: "/c", key: "credential:key")
    #expect(
      try choice.resolved(readable)
        == TLSConfiguration(authority: "/here/ca", certificate: "/c", key: "/credentials/key"))
  }

  @Test(
    arguments: [
      (TLSConfiguration(certificate: "/c"), "--key"), (TLSConfiguration(authority: "/ca"), "does not exist"),
    ])
  func `what cannot be used is named`(_ choice: TLSConfiguration, _ words: String) {
    do throws(Refusal) {
      _ = try choice.resolved(files(.missing))
      Issue.record("it was taken")
    } catch { #expect(error.hint?.contains(words) == true) }
  }

  @Test func `F101 a key that everybody can read is refused, an authority is not`() throws {
    let open = files(.readable(isWorldReadable: true))
    #expect(throws: Refusal.self) { try TLSConfiguration(certificate: "/c", key: "/k").resolved(open) }
    #expect(try TLSConfiguration(authority: "/ca").resolved(open).authority == "/ca")
  }
}
