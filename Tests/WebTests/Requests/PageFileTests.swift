import FleetModel
import Foundation
import Testing

@testable import Web

@Suite struct PageFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Web/Page").standardized

  @Test func `all files of the folder are in the program, each as it is`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let served = PageFile.all.map { $0.path == "/" ? "index.html" : String($0.path.dropFirst()) }
    #expect(served.sorted() == names.sorted() && served.first == "index.html")
    for (file, name) in zip(PageFile.all, served) {
      #expect(try Data(contentsOf: Self.folder.appending(path: name)) == Data(file.bytes), "\(name)")
    }
  }

  @Test func `a file is sent again only when it is another one`() throws {
    let file = try #require(PageFile.all.first)
    let first = file.content(known: nil)
    let tag = try #require(first.allHeaders["ETag"])
    #expect(first.status == 200 && first.bytes == file.bytes)
    for tags in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
      #expect(file.content(known: tags).status == 304 && file.content(known: tags).bytes == [])
    }
    for tags in ["", "\"x\"", String(tag.dropFirst()), "\"\""] {
      #expect(file.content(known: tags).status == 200)
    }
    #expect(PageFile("/", type: "", Array("a".utf8)).tag != PageFile("/", type: "", Array("b".utf8)).tag)
  }

  @Test func `F237 a page loads what is ours, and runs nothing that stands in it`() throws {
    let headers = try #require(PageFile.all.first).content(known: nil).allHeaders
    #expect(
      headers["Content-Security-Policy"]
        == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    #expect(headers["Cache-Control"] == "no-cache" && headers["X-Content-Type-Options"] == "nosniff")
  }
}
