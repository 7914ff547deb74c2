import Testing

@Suite struct SetupTests {
  @Test func `nothing is touched where nothing is missing`() throws {
    let machine = try StagedMachine(packages: ["libdbus-1-dev", "mosquitto"])
    let ending = try machine.setup("install_packages libdbus-1-dev mosquitto")
    #expect(ending.status == 0)
    #expect(ending.output + ending.errors + machine.log == [])
  }

  @Test func `the check of Swift leaves what its caller knows alone`() throws {
    let ending = try StagedMachine().setup(
      "version=1 major=2 minor=3; check_swift; echo $version $major $minor")
    #expect(ending.output == ["1 2 3"])
  }

  @Test func `only what is missing is installed, with services forbidden meanwhile`() throws {
    let machine = try StagedMachine(packages: ["mosquitto"])
    let ending = try machine.setup("install_packages libdbus-1-dev mosquitto pkg-config")
    #expect(ending.status == 0)
    #expect(ending.output == [])
    #expect(machine.log.count == 4)
    #expect(machine.log.first?.hasSuffix("update") == true)
    #expect(machine.log.contains { $0.contains(" install ") && $0.hasSuffix(" libdbus-1-dev pkg-config") })
    #expect(machine.log.count { $0 == "services forbidden" } == 2)
    #expect(!machine.exists("policy"))
  }

  @Test(arguments: [("mosquitto", "mosquitto"), ("bluez", "bluetooth")])
  func `a service that came with us does not start with the next boot`(package: String, service: String)
    throws
  {
    let machine = try StagedMachine(packages: [])
    #expect(try machine.setup("install_packages \(package)").status == 0)
    #expect(machine.log.last == "systemctl --quiet disable \(service)")
  }

  @Test(arguments: [("bookworm", true), ("trixie", false)])
  func `what Swift needs is installed on Debian 12, whose names we know`(release: String, isInstalled: Bool)
    throws
  {
    let machine = try StagedMachine(
      packages: StagedMachine.all.filter { $0 != "libncurses6" && $0 != "libxml2" })
    let ending = try machine.setup(
      "release=./release; echo VERSION_CODENAME=\(release) > release; install_toolchain_packages")
    #expect(ending.status == 0)
    #expect(machine.log.contains { $0.hasSuffix(" libncurses6 libxml2") } == isInstalled)
  }

  @Test func `services are allowed again after a failed installation, which ends with 69`() throws {
    let machine = try StagedMachine(packages: [])
    try machine.program("apt-get", "case $* in *install*) exit 100;; esac")
    let ending = try machine.setup("install_packages pkg-config")
    #expect(ending.status == 69)
    #expect(ending.errors.last?.contains("pkg-config") == true)
    #expect(!machine.exists("policy"))
  }

  @Test func `whoever has packages installed keeps what it does at its own end`() throws {
    let machine = try StagedMachine(packages: [])
    #expect(try machine.setup("trap 'echo mine >> log' EXIT; install_packages pkg-config").status == 0)
    #expect(machine.log.last == "mine")
    #expect(!machine.exists("policy"))
  }

  @Test func `the lists there are do when they cannot be updated`() throws {
    let machine = try StagedMachine(packages: [])
    try machine.program("apt-get", "case $* in *update*) exit 100;; esac; echo installed >> log")
    #expect(try machine.setup("install_packages pkg-config").status == 0)
    #expect(machine.log == ["installed"])
  }

  @Test func `the administrator's policy stays, ours from a killed run goes`() throws {
    let machine = try StagedMachine(packages: [])
    try machine.file("policy", "#!/bin/sh\nexit 101 # ours\n")
    #expect(try machine.setup("install_packages pkg-config; grep -q ours policy").status == 0)
    try machine.file(
      "policy", "#!/bin/sh\n# MetaFleet, while it installs packages; may be removed.\nexit 101\n")
    #expect(try machine.setup("install_packages pkg-config").status == 0)
    #expect(!machine.exists("policy"))
  }

  @Test func `others than root use sudo`() throws {
    let machine = try StagedMachine(packages: [])
    try machine.program("id", "echo 1000")
    try machine.program("sudo", "echo sudo >> log; \"$@\"")
    #expect(try machine.setup("install_packages pkg-config").status == 0)
    #expect(machine.log.contains("sudo"))
    #expect(!machine.exists("policy"))
  }

  @Test(arguments: [
    "Swift version 6.3 (swift-6.3-RELEASE)", "Apple Swift version 6.10.1", "Swift version 7.0-dev",
  ])
  func `a Swift that is new enough is taken`(version: String) throws {
    let ending = try StagedMachine(swift: version).setup("check_swift")
    #expect(ending.status == 0)
    #expect(ending.output + ending.errors == [])
  }

  @Test(arguments: ["Swift version 6.2.3 (swift-6.2.3-RELEASE)", "Swift version 5.10", ""])
  func `an older Swift or none ends with 69 and one line`(version: String) throws {
    let ending = try StagedMachine(swift: version).setup("check_swift")
    #expect(ending.status == 69)
    #expect(ending.output == [])
    #expect(ending.errors.count == 1)
    #expect(ending.errors.first?.contains("Swift 6.3 or later is needed") == true)
  }

  @Test(arguments: ["demo", "test"])
  func `without Swift both commands end with 69 and one line`(command: String) throws {
    let machine = try StagedMachine()
    try machine.program("swift", "exit 127")
    let ending = try machine.run("./deploy/\(command)")
    #expect(ending.status == 69)
    #expect(ending.output == [])
    #expect(ending.errors.count == 1)
  }
}
