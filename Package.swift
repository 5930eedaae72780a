// swift-tools-version: 6.1
import CompilerPluginSupport
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
        .testTarget(name: "DataKernelTests", dependencies: ["DataKernel"], swiftSettings: strict),
        .testTarget(
            name: "KernelSQLiteTests", dependencies: ["KernelSQL", "KernelSQLite", "CKernelSQLite"],
            swiftSettings: strict),
        .target(name: "DataKernelTesting", dependencies: ["DataKernel"], swiftSettings: strict),
    ]
)
