import Testing

@Suite struct DemoScriptTests {
  private func machine(_ metafleet: String, packages: [String] = StagedMachine.all) throws -> StagedMachine {
    let machine = try StagedMachine(packages: packages)
    try machine.file(".build/debug/metafleet", "#!/bin/sh\n\(metafleet)\n")
    return machine
  }

  @Test func `standard output is the program's alone`() throws {
    let machine = try machine("echo mqtt://127.0.0.1:1883; echo \"$*\"", packages: [])
    let ending = try machine.run("./deploy/demo --boards 4 --for 20s")
    #expect(ending.status == 0)
    #expect(ending.output == ["mqtt://127.0.0.1:1883", "demo --boards 4 --for 20s"])
    #expect(ending.errors.contains("noise of swift"))
  }

  @Test func `the program's exit status is the demo's, also from elsewhere`() throws {
    let ending = try machine("exit 1").run("cd /; \"$OLDPWD/deploy/demo\"")
    #expect(ending.status == 1)
  }

  @Test func `the program takes the script's place, so that signals reach it`() throws {
    let ending = try machine("echo $$").run("echo $$; exec ./deploy/demo")
    #expect(ending.output.count == 2)
    #expect(ending.output.first == ending.output.last)
  }

  @Test func `a failed build ends with 70 and starts nothing`() throws {
    let machine = try machine("echo started")
    try machine.program("swift", "case $1 in --version) echo Swift version 6.3;; *) exit 1;; esac")
    let ending = try machine.run("./deploy/demo")
    #expect(ending.status == 70)
    #expect(ending.output == [])
  }
}
