extension LinkedWork {
  /// Everything that is linked in. What is loaded by these libraries in turn is the system's.
  static let all = [
    LinkedWork(
      name: "GRDB.swift", origin: .package("GRDB.swift"), address: "https://github.com/groue/GRDB.swift",
      holders: ["Copyright (C) 2015-2025 Gwendal Roué"], licence: .mit),
    LinkedWork(
      name: "SwiftLog", origin: .package("swift-log"), address: "https://github.com/apple/swift-log",
      holders: [
        "Copyright 2018, 2019 The SwiftLog Project",
        "This product contains a derivation of the lock implementation and various scripts from SwiftNIO,",
        "https://github.com/apple/swift-nio, under the same licence.",
      ], licence: .apache),
    LinkedWork(
      name: "Swift Argument Parser", origin: .package("swift-argument-parser"),
      address: "https://github.com/apple/swift-argument-parser",
      holders: ["Copyright 2020 Apple Inc. and the Swift project authors"], licence: .apacheWithException),
    LinkedWork(
      name: "Yams", origin: .package("Yams"), address: "https://github.com/jpsim/Yams",
      holders: ["Copyright (c) 2016 JP Simard."], licence: .mit),
    LinkedWork(
      name: "LibYAML", origin: .within("Yams"), address: "https://github.com/yaml/libyaml",
      holders: ["Copyright (c) 2017-2020 Ingy döt Net", "Copyright (c) 2006-2016 Kirill Simonov"],
      licence: .mit),
    LinkedWork(
      name: "Swift's standard library, concurrency and dispatch", origin: .toolchain,
      address: "https://github.com/swiftlang/swift",
      holders: ["Copyright 2014-2025 Apple Inc. and the Swift project authors"], licence: .apacheWithException
    ),
    LinkedWork(
      name: "Swift Foundation", origin: .toolchain, address: "https://github.com/swiftlang/swift-foundation",
      holders: ["Copyright 2014-2025 Apple Inc. and the Swift project authors"], licence: .apacheWithException
    ),
    LinkedWork(
      name: "ICU", origin: .toolchain, address: "https://github.com/swiftlang/swift-foundation-icu",
      holders: ["Copyright © 2016-2024 Unicode, Inc."], licence: .unicode),
    LinkedWork(
      name: "D-Bus", origin: .system(file: "libdbus-1.so.3", pkgConfig: "dbus-1"),
      address: "https://dbus.freedesktop.org",
      holders: ["© 1994-2023 the D-Bus contributors, Red Hat, Inc and others"],
      licence: .system("AFL-2.1 OR GPL-2.0-or-later")),
    LinkedWork(
      name: "Eclipse Mosquitto", origin: .system(file: "libmosquitto.so.1", pkgConfig: "libmosquitto"),
      address: "https://mosquitto.org", holders: ["2009-2021 Roger A. Light"],
      licence: .system("EPL-2.0 OR BSD-3-Clause")),
    LinkedWork(
      name: "curl", origin: .system(file: "libcurl.so.4", pkgConfig: "libcurl"), address: "https://curl.se",
      holders: ["1996-2022, Daniel Stenberg, and many contributors"], licence: .system("curl")),
    LinkedWork(
      name: "GNU libmicrohttpd", origin: .system(file: "libmicrohttpd.so.12", pkgConfig: "libmicrohttpd"),
      address: "https://www.gnu.org/software/libmicrohttpd",
      holders: ["2007-2021 Christian Grothoff and others"],
      licence: .system("LGPL-2.1-or-later")),
    LinkedWork(
      name: "OpenSSL", origin: .system(file: "libssl.so.3", pkgConfig: "openssl"),
      address: "https://www.openssl.org", holders: ["1998-2023 the OpenSSL Project Authors"],
      licence: .system("Apache-2.0")),
    LinkedWork(
      name: "the cryptography of OpenSSL", origin: .system(file: "libcrypto.so.3"),
      address: "https://www.openssl.org", holders: ["1998-2023 the OpenSSL Project Authors"],
      licence: .system("Apache-2.0")),
    LinkedWork(
      name: "SQLite", origin: .system(file: "libsqlite3.so.0"), address: "https://www.sqlite.org",
      holders: ["D. Richard Hipp and others, who gave it to the public"], licence: .system("blessing")),
    LinkedWork(
      name: "zlib", origin: .system(file: "libz.so.1", pkgConfig: "zlib"), address: "https://zlib.net",
      holders: ["(C) 1995-2022 Jean-loup Gailly and Mark Adler"], licence: .system("Zlib")),
    LinkedWork(
      name: "GNU C Library", origin: .system(file: "libc.so.6"), address: "https://www.gnu.org/software/libc",
      holders: ["Copyright (C) 1991-2022 Free Software Foundation, Inc."],
      licence: .system("LGPL-2.1-or-later")),
    LinkedWork(
      name: "the mathematics of the GNU C Library", origin: .system(file: "libm.so.6"),
      address: "https://www.gnu.org/software/libc",
      holders: ["Copyright (C) 1991-2022 Free Software Foundation, Inc."],
      licence: .system("LGPL-2.1-or-later")),
    LinkedWork(
      name: "GNU C++ library", origin: .system(file: "libstdc++.so.6"), address: "https://gcc.gnu.org",
      holders: ["Copyright (C) 1986-2022 Free Software Foundation, Inc."],
      licence: .system("GPL-3.0-or-later WITH GCC-exception-3.1")),
    LinkedWork(
      name: "GCC's runtime", origin: .system(file: "libgcc_s.so.1"), address: "https://gcc.gnu.org",
      holders: ["Copyright (C) 1986-2022 Free Software Foundation, Inc."],
      licence: .system("GPL-3.0-or-later WITH GCC-exception-3.1")),
  ]
}
