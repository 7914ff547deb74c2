/// What all files cite that people wrote: sources, tests and their scripts, mutations, documents.
enum CitedFiles {
  /// Files that hold texts of others word by word, such as the Apache licence, whose sections are sections of those.
  static let foreign: Set<String> = ["Sources/metafleet/Licences/Licence+texts.swift"]

  static let citations: [String: [Citation]] = {
    let paths = ["README.md", "Package.swift"] + ["Sources", "Tests", "deploy"].flatMap(Repository.files)
    return Dictionary(
      uniqueKeysWithValues: paths.filter { !$0.hasSuffix(".json") && !foreign.contains($0) }.map {
        ($0, CitationReader(Repository.text($0), at: $0).citations)
      })
  }()

  /// What their tests cite, but for the rules themselves and what takes protections away.
  static let citedByTests = Set(
    citations.filter {
      $0.key.hasPrefix("Tests/") && !$0.key.hasPrefix("Tests/ArchitectureTests/")
        && !$0.key.hasPrefix("Tests/Mutations/")
    }.flatMap(\.value))

  static let targets = CitationTargets(
    Dictionary(uniqueKeysWithValues: Repository.documents.map { ($0, Repository.text($0)) }))
}
