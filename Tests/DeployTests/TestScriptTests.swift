import Testing

@Suite struct TestScriptTests {
  private func swift(
    build: String = "", test: String = "", format: String = "", outsider: String = ""
  ) throws -> StagedMachine {
    let machine = try StagedMachine()
    try machine.file("Tests/build-tool", "#!/bin/sh\n")
    for program in ["Benchmarks", "Fuzz", "VirtualDays", "SeededFaults"] {
      try machine.file("Tests/\(program)/run", "#!/bin/sh\necho passed\n")
    }
    for judge in [
      "checks_logs", "explain_checks", "firmware_checks", "broker_faults", "consistency_checks", "kill_loop",
      "message_kills", "crowd",
      "http_checks", "dashboard_checks", "access_checks", "service_checks", "container_checks", "page_checks",
      "bootloader_checks", "recipe_checks",
    ] {
      try machine.file("Tests/Outsiders/\(judge).py", "#!/bin/sh\necho 7 passed, 0 failed\n")
    }
    try machine.file("Tests/Outsiders/page_modules.js", "console.log('3 passed, 0 failed')\n")
    try machine.file("Tests/Outsiders/simulator_checks.py", "#!/bin/sh\necho 5 passed, 0 failed\n")
    try machine.file("Tests/Outsiders/stimulus_checks.py", "#!/bin/sh\necho 5 passed, 0 failed\n")
    try machine.file("Tests/Outsiders/checks_vectors.py", "#!/bin/sh\necho 4 passed, 0 failed\n")
    try machine.file(
      "Tests/Outsiders/run_checks.py", "#!/bin/sh\necho 6 passed, 1 failed\n\(outsider)\n")
    try machine.program(
      "swift",
      """
      case $1 in
      --version) echo Swift version 6.3 ;;
      format) \(format.isEmpty ? ":" : format) ;;
      build) \(build.isEmpty ? ":" : build) ;;
      test) echo SWIFT_BACKTRACE $SWIFT_BACKTRACE; echo '✔ Test run with 7 tests in 2 suites passed'; \(test.isEmpty ? ":" : test) ;;
      esac
      """)
    for program in ["bluez-lab", "scenarios", "outsiders", "updates", "power", "soak"] {
      try machine.file("Tests/BlueZLab/\(program)", "#!/bin/sh\necho \(program) $* >> log\n")
    }
    return machine
  }

  @Test func `the last line says that all is well`() throws {
    let ending = try swift().run("./deploy/test")
    #expect(ending.status == 0)
    #expect(
      ending.output.last?.hasPrefix(
        "PASSED: format, build without warnings, 7 tests, 135 checks from outside, the laboratory (")
        == true)
    #expect(ending.output.contains("SWIFT_BACKTRACE enable=no"))
  }

  @Test func `the laboratory comes last`() throws {
    let machine = try swift()
    #expect(try machine.run("./deploy/test").status == 0)
    #expect(
      machine.log == [
        "bluez-lab setup", "scenarios", "outsiders", "updates", "power", "soak --for 60",
      ])
  }

  @Test(arguments: [
    ("bluez-lab", "FAILED: the laboratory's kernel"), ("scenarios", "FAILED: the laboratory's scenarios"),
    ("outsiders", "FAILED: the laboratory's outsiders"),
    ("updates", "FAILED: the laboratory's updates"), ("power", "FAILED: the laboratory's power cuts"),
    ("soak", "FAILED: the laboratory's soak"),
  ])
  func `what fails in the laboratory is named`(program: String, line: String) throws {
    let machine = try swift()
    try machine.file("Tests/BlueZLab/\(program)", "#!/bin/sh\nexit 125\n")
    let ending = try machine.run("./deploy/test")
    #expect(ending.status == 1)
    #expect(ending.output.last?.hasPrefix(line) == true)
  }

  @Test func `--fast needs nothing of the laboratory and says loudly that it was left out`() throws {
    let machine = try swift()
    try machine.program(
      "dpkg-query", "case $* in *bluez* | *flex* | *nodejs* | *python3*) exit 1 ;; *) echo installed ;; esac")
    let ending = try machine.run("./deploy/test --fast")
    #expect(ending.status == 0)
    #expect(
      ending.output.last?.hasPrefix("PASSED, BUT NOT AGAINST A REAL bluetoothd, NOR FROM OUTSIDE") == true)
    #expect(machine.log == [])
  }

  @Test func `--long runs what is named alone; what it does not know is misuse`() throws {
    let machine = try swift()
    try machine.file("Tests/Outsiders/influx.py", "#!/bin/sh\necho 26 passed, 0 failed\n")
    let ending = try machine.run("./deploy/test --long influx")
    #expect(ending.status == 0 && ending.output.last?.hasPrefix("PASSED: influx (") == true)
    #expect(machine.log.contains { $0.hasPrefix("apt-get -q install") && $0.hasSuffix(" influxdb") })
    #expect(machine.log.contains("systemctl --quiet disable influxdb"))
    #expect(
      try machine.run("./deploy/test --long prometheus").output.last?.hasPrefix("PASSED: prometheus (")
        == true)
    try machine.file("Tests/Outsiders/page_checks.py", "#!/bin/sh\necho $* >> log\necho 9 passed, 0 failed\n")
    #expect(try machine.run("./deploy/test --long page").output.last?.hasPrefix("PASSED: page (") == true)
    #expect(machine.log.contains("--long"))
    #expect(!machine.log.contains { $0.hasPrefix("bluez-lab") || $0 == "scenarios" })
    for wrong in ["--long", "--long nothing"] {
      #expect(try machine.run("./deploy/test \(wrong)").status == 64)
    }
  }

  @Test(arguments: [
    ("SeededFaults", "FAILED: a thousand seeds"), ("Fuzz", "FAILED: fuzzing"),
    ("VirtualDays", "FAILED: the virtual day"),
    ("Benchmarks", "FAILED: the build of the benchmarks"),
  ])
  func `what goes on beside is awaited, and its failure is named`(program: String, line: String) throws {
    let machine = try swift()
    try machine.file("Tests/\(program)/run", "#!/bin/sh\necho FAIL of it\nexit 1\n")
    let ending = try machine.run("./deploy/test")
    #expect(ending.status == 1)
    #expect(ending.output.last?.hasPrefix(line) == true)
    #expect(ending.output.suffix(2).first == "FAIL of it")
  }

  @Test func `nothing is built beside what the virtual day needs, and a failure of that is named`() throws {
    let machine = try swift(outsider: "touch judged; exit 0")
    try machine.file(
      "Tests/build-tool", "#!/bin/sh\nuntil [ -e judged ]; do :; done\necho $1 >> log\nexit 1\n")
    for program in ["Fuzz", "VirtualDays", "SeededFaults", "Benchmarks"] {
      try machine.file("Tests/\(program)/run", "#!/bin/sh\necho behind >> log\n")
    }
    let ending = try machine.run("./deploy/test")
    #expect(ending.output.last?.hasPrefix("FAILED: the build of the virtual day") == true)
    #expect(machine.log.filter { ["VirtualDays", "behind"].contains($0) }.first == "VirtualDays")
  }

  @Test func `what goes on beside ends with a failure`() throws {
    let machine = try swift(outsider: "until [ -e day ]; do :; done; exit 1")
    // What a program starts ends with it, too.
    try machine.file("Tests/VirtualDays/run", "#!/bin/sh\nsleep 600 &\necho $! > now; mv now day; wait\n")
    #expect(try machine.run("./deploy/test").output.last?.hasPrefix("FAILED: Tests/Outsiders") == true)
    // Nobody may collect it, so that its number can stay; its command line goes.
    let gone = "while grep -qs sleep /proc/$(cat day)/cmdline; do :; done"
    #expect(try machine.run("timeout 20 sh -c '\(gone)'").status == 0)
  }

  @Test(arguments: [
    ("format", "", "", "exit 1", "", "FAILED: the format"),
    ("build", "exit 1", "", "", "", "FAILED: the build"),
    ("warning", "echo Sources/Fleet/Gateway.swift:1:2: warning: unused", "", "", "", "FAILED: warnings"),
    ("test", "", "exit 1", "", "", "FAILED: tests"),
    ("outsider", "", "", "", "exit 1", "FAILED: Tests/Outsiders/run_checks.py"),
  ])
  func `the last line names what failed`(
    name: String, build: String, test: String, format: String, outsider: String, line: String
  ) throws {
    let ending = try swift(build: build, test: test, format: format, outsider: outsider).run("./deploy/test")
    #expect(ending.status == 1)
    #expect(ending.output.last?.hasPrefix(line) == true)
  }

  @Test func `what failed is told once more at the end`() throws {
    let issue = "✘ Test x() recorded an issue at XTests.swift:1:1: Expectation failed"
    let tests = try swift(test: "echo '\(issue)'; echo more; exit 1").run("./deploy/test")
    #expect(tests.output.suffix(2).first == issue)
    let checks = try swift(outsider: "echo FAIL x; echo more; exit 1").run("./deploy/test")
    #expect(checks.output.suffix(2).first == "FAIL x")
  }

  @Test(arguments: ["--quick", "all", "-x"])
  func `an unknown option ends with 64 before anything is done`(option: String) throws {
    let machine = try StagedMachine(packages: [])
    let ending = try machine.run("./deploy/test \(option)")
    #expect(ending.status == 64)
    #expect(ending.output == [])
    #expect(ending.errors.last?.contains(option) == true)
    #expect(machine.log == [])
  }

  @Test func `help is an answer`() throws {
    let ending = try StagedMachine().run("./deploy/test --help")
    #expect(ending.status == 0)
    #expect(ending.output.first?.hasPrefix("Usage: ./deploy/test") == true)
  }
}
