import Foundation
import Testing

@testable import metafleet

/// The list of what is linked in, against the manifest.
@Suite struct LinkedWorkTests {
  private let manifest: String

  init() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
  }

  @Test func `each package of the manifest is named, and no other`() {
    let named = LinkedWork.all.compactMap { work -> String? in
      if case .package(let name) = work.origin { name } else { nil }
    }
    let wanted = manifest.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)"/).map { String($0.1) }
    #expect(wanted.count > 3)
    #expect(named.sorted() == wanted.sorted())
  }

  @Test func `each library that the manifest asks the system for is named, and no other`() {
    let named = LinkedWork.all.compactMap { work -> String? in
      if case .system(_, let name) = work.origin { name } else { nil }
    }
    let wanted = manifest.matches(of: /\.systemLibrary\(\s*name: "\w+", pkgConfig: "([^"]+)"/).map {
      String($0.1)
    }
    #expect(wanted.count > 3)
    #expect(named.sorted() == wanted.sorted())
    #expect(manifest.matches(of: /\.systemLibrary\(/).count == wanted.count)
  }

  @Test func `what another package brings belongs to one that is named`() {
    for work in LinkedWork.all {
      guard case .within(let package) = work.origin else { continue }
      #expect(LinkedWork.all.contains { $0.origin == .package(package) })
    }
  }

  @Test(arguments: LinkedWork.all)
  func `each says who holds the rights, where it is from, and under which licence`(work: LinkedWork) {
    #expect(!work.holders.isEmpty && work.holders.allSatisfy { !$0.isEmpty })
    #expect(work.address.hasPrefix("https://"))
    #expect(!work.licence.name.isEmpty && work.licence.text.count > 80)
  }
}
