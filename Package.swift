// swift-tools-version: 6.1
import CompilerPluginSupport
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "DataKernel",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DataKernel", targets: ["DataKernel"]),
        .library(name: "DataKernelTesting", targets: ["DataKernelTesting"]),
    ],
    targets: [
        .systemLibrary(
            name: "CKernelSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(name: "KernelSQL", swiftSettings: strict),
        .target(name: "KernelSQLite", dependencies: ["KernelSQL", "CKernelSQLite"], swiftSettings: strict),
        .macro(name: "DataKernelMacros", swiftSettings: strict),
        .target(
            name: "DataKernel", dependencies: ["KernelSQL", "KernelSQLite", "DataKernelMacros"],
            swiftSettings: strict),
        .testTarget(
            name: "DataKernelTests",
            dependencies: [
                "DataKernel", "DataKernelTesting", "KernelSQL", "KernelSQLite", "Soak", "StoreHelper",
                "TestSupport",
            ],
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // What a test cannot do in its own process: fork, and give up root.
        .executableTarget(
            name: "StoreHelper", dependencies: ["DataKernel"], path: "Tests/StoreHelper", swiftSettings: strict),
        // Long runs of what the tests run briefly.
        .executableTarget(
            name: "Soak", dependencies: ["DataKernel", "CKernelSQLite", "TestSupport"], path: "Tests/Soak",
            swiftSettings: strict),
        // Tests cannot import an executable here: a package that tests a macro builds its tests as tools, and for those
        // SwiftPM makes no module of an executable. So everything but main.swift is a target of its own.
        .target(
            name: "KernelBenchWork", dependencies: ["DataKernel", "CKernelSQLite"], path: "Sources/KernelBench/Work",
            swiftSettings: strict),
        .executableTarget(
            name: "KernelBench", dependencies: ["KernelBenchWork"], path: "Sources/KernelBench/Main",
            swiftSettings: strict),
        .executableTarget(
            name: "Garage", dependencies: ["DataKernel"], path: "Examples/Garage", exclude: ["DATA.md"],
            resources: [.copy("cars.json")], swiftSettings: strict),
        .target(
            name: "PackageIndexCore", dependencies: ["DataKernel"], path: "Examples/PackageIndex",
            exclude: ["DATA.md", "packages.txt", "main.swift"], swiftSettings: strict),
        .executableTarget(
            name: "PackageIndex", dependencies: ["PackageIndexCore"], path: "Examples/PackageIndex",
            exclude: ["DATA.md", "packages.txt", "Answers", "Command", "Import", "Model", "Reading"],
            swiftSettings: strict),
        .testTarget(name: "KernelSQLTests", dependencies: ["KernelSQL"], swiftSettings: strict),
        .testTarget(
            name: "KernelSQLiteTests", dependencies: ["KernelSQL", "KernelSQLite", "CKernelSQLite", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "DataKernelMacrosTests", dependencies: ["DataKernelMacros"], swiftSettings: strict),
        .testTarget(name: "KernelBenchTests", dependencies: ["KernelBenchWork"], swiftSettings: strict),
        .testTarget(name: "GarageTests", dependencies: ["Garage", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PackageIndexTests",
            dependencies: ["PackageIndex", "PackageIndexCore", "DataKernelTesting", "TestSupport"],
            swiftSettings: strict),
        .target(name: "DataKernelTesting", dependencies: ["DataKernel", "KernelSQLite"], swiftSettings: strict),
    ]
)

// The declaration scanner is compared with the toolchain's own parser, whose modules can only be reached by unsafe
// flags. SwiftPM refuses those in packages that others depend on, so the target is there only when asked for:
// DATAKERNEL_ORACLE=1 swift test --filter ScannerOracle
if Context.environment["DATAKERNEL_ORACLE"] != nil {
    let swift = (Context.environment["PATH"] ?? "").split(separator: ":").map { URL(fileURLWithPath: "\($0)/swift") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    let usr = swift?.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent().path ?? "/usr"
    let host = "\(usr)/lib/swift/host"
    package.targets.append(
        .testTarget(
            name: "ScannerOracleTests", dependencies: ["DataKernelMacros"],
            swiftSettings: strict + [.unsafeFlags(["-I", host])],
            linkerSettings: [
                .unsafeFlags([
                    "-L", host, "-Xlinker", "-rpath", "-Xlinker", host, "-lSwiftSyntax", "-lSwiftParser",
                ])
            ]))
}
