public import Foundation

/// What can go wrong, in the model's words. Cases are those that a caller can act on; each keeps what the
/// database said, never a bound value.
public enum KernelError: Error, Sendable {
    // What a save meets.
    /// Another row has the same value in a unique attribute (or the same values in a unique group).
    case uniqueViolation(entity: String, attributes: [String], DatabaseFailure)
    /// A required attribute has no value, or a required relationship no object. Where an object lacks several, the name is
    /// `owner and depot`.
    case missingValue(entity: String, attribute: String, DatabaseFailure)
    /// The store cannot hold the value: NaN, a `UInt64` above `Int64.max`.
    case invalidValue(entity: String, attribute: String, reason: String)
    /// A delete rule forbids the removal: the object of that name is still related to one that is there. Both are
    /// named by entity and row, `Car/7`. Remove or change the other one too, or roll back.
    case deleteDenied(String, heldBy: String, relationship: String)
    /// The object belongs to another context, or to none yet. Get its twin with `context.object(with: other.objectID)`.
    case foreignObject(entity: String)
    /// Objects of two contexts were to be related; both are named. Get the other's twin in this one with
    /// `context.object(with: other.objectID)`.
    case otherContext(entity: String, its: String, this: String)
    /// What is to be saved is not valid: declared ranges, lengths and patterns, and what `validate()` threw. All of it
    /// at once; nothing was written.
    case validationFailed([ValidationIssue])
    /// The object was removed, so it cannot be inserted, refreshed or saved.
    case removedObject(entity: String)

    // What a request or an acquire meets.
    /// `acquire` needs an entity that has a primary key.
    case noPrimaryKey(entity: String)
    /// `acquire` was given a value that the primary key cannot have.
    case wrongKeyType(entity: String, attribute: String, expected: String, found: String)
    /// The class is not in the model that the store was opened with.
    case unknownEntity(String)
    /// The entity has no such attribute. `suggestion` is the nearest name, if one is near.
    case unknownAttribute(entity: String, name: String, suggestion: String?)
    /// The request cannot be carried out as written; `reason` says what to write instead.
    case invalidRequest(entity: String, reason: String)
    /// A row holds something that its attribute cannot be read from.
    case undecodable(entity: String, attribute: String, row: Int64, reason: String)

    // What opening meets. The file is as it was in each of these cases.
    /// The model contradicts itself. Each string names one fault.
    case invalidModel([String])
    /// The store's model differs from the program's by more than additions.
    case modelMismatch(differences: [String])
    /// The store was written by a newer version of the model or of the kernel.
    case storeNewer(found: Int, supported: Int)
    /// The file is a database of another application.
    case foreignStore(path: String, applicationID: Int)
    /// The file is no SQLite database (or is encrypted).
    case notADatabase(path: String)
    /// The database is damaged. Nothing was changed.
    case storeDamaged(path: String, DatabaseFailure)
    /// Beside the file lies the log (`-wal`) of another file, or of an older or newer copy of this one. SQLite would mix
    /// the two. See the description for the ways out.
    case foreignLog(path: String)
    /// The file cannot be opened: no right to read it or to make its folder, or it is no file.
    case cannotOpen(path: String, reason: String)
    /// Step `step` of bringing the store to the model failed and everything was undone.
    case migrationFailed(step: String, DatabaseFailure)

    // What can happen at any time.
    /// Another process or unit held the store for longer than the time-out. Trying again is right.
    case storeBusy(DatabaseFailure)
    /// The file, its log or their folder is read-only. Found at opening.
    case storeReadOnly(DatabaseFailure)
    /// The disk is full. The changes are still pending.
    case storeFull(DatabaseFailure)
    /// The file was renamed or removed while it was open.
    case storeMoved(path: String)
    /// `wipeStore` was called, or the context's unit of work is over.
    case storeClosed
    /// What a unit of work left unsaved could not be undone, so the storage writes no more. What was saved is safe: let go
    /// of the storage and open it anew.
    case storageRetired(DatabaseFailure)
    /// The call of that name cannot be made inside a unit of work.
    case insideUnit(String)
    /// The program's own code, which the kernel called (`hook`), called something that cannot be done from there. Nothing
    /// was changed. The article *Life cycle and validation* has the table of what can.
    case insideHook(String, hook: String, instead: String)
    /// The context waits for its nested unit to end.
    case contextSuspended
    /// The storage was opened before `fork`, or the store that is to be opened in the child was open in its parent. A
    /// store does not survive a fork: let go of the storage first, or start the child as a program of its own.
    case usedAfterFork
    /// Any other failure of the database.
    case database(DatabaseFailure)
}

extension KernelError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .uniqueViolation(let entity, let attributes, _):
            "\(entity.shownName): another object has the same \(attributes.map(\.shownName).joined(separator: " and "))"
        case .missingValue(let entity, let attribute, _):
            // Several are joined into one name.
            "\(entity.shownName).\(attribute.shownName) "
                + (attribute.contains(" and ") ? "are required and have no value" : "is required and has no value")
        case .invalidValue(let entity, let attribute, let reason):
            "\(entity.shownName).\(attribute.shownName) \(reason.shown(limit: KernelError.longest))"
        case .deleteDenied(let object, let holder, let relationship):
            "\(object.shown) cannot be removed: \(holder.shown) holds it by \(relationship.shown); remove or change that one, too"
        case .foreignObject(let entity):
            "this \(entity.shownName) belongs to another context, or to none; use context.object(with: its objectID), or "
                + "insert it"
        case .otherContext(let entity, let its, let this):
            "this \(entity.shownName) belongs to \(its) and cannot be related to an object of \(this); use "
                + "context.object(with: its objectID)"
        case .validationFailed(let issues):
            "what is to be saved is not valid:\n- " + issues.map(\.description).joined(separator: "\n- ")
        case .removedObject(let entity):
            "this \(entity.shownName) was removed"
        case .noPrimaryKey(let entity):
            "\(entity.shownName) has no primary key, which acquire needs; mark an attribute @Attribute(.primaryKey)"
        case .wrongKeyType(let entity, let attribute, let expected, let found):
            "\(entity.shownName).\(attribute.shownName) is \(expected); acquire was given \(found)"
        case .unknownEntity(let name):
            "\(name.shownName) is not in the model; add \(name.shownName).self to the model that the storage is opened with"
        case .unknownAttribute(let entity, let name, let suggestion):
            "\(entity.shownName) has no attribute \(name.shownName)"
                + (suggestion.map { "; did you mean \($0.shown)?" } ?? "")
        case .invalidRequest(let entity, let reason):
            "Request<\(entity.shownName)>: \(reason.shown(limit: KernelError.longest))"
        case .undecodable(let entity, let attribute, let row, let reason):
            "\(entity.shownName).\(attribute.shownName) of row \(row) \(reason.shown(limit: KernelError.longest))"
        case .invalidModel(let issues):
            "the model is not valid:\n- " + KernelError.list(issues)
        case .modelMismatch(let differences):
            "the store does not fit the model, and was not changed:\n- " + KernelError.list(differences)
        case .storeNewer(let found, let supported):
            "the store is of version \(found), newer than \(supported), which this program knows; update the program"
        case .foreignStore(let path, let id):
            "\(path.shownPath) belongs to another application (application_id \(id)); it was not changed"
        case .notADatabase(let path):
            "\(path.shownPath) is not a SQLite database, or is encrypted; it was not changed"
        case .storeDamaged(let path, let failure):
            "\(path.shownPath) is damaged (\(failure.reason)); restore it from a backup or try the sqlite3 shell's .recover"
        case .foreignLog(let path):
            "\(path.shownPath)-wal was not written for \(path.shownPath) as it is now, but for another file or another copy of this one; "
                + "nothing was changed. To use the file without the log, move \(path.shownPath)-wal and \(path.shownPath)-shm away; to use "
                + "the log, put back the file that it belongs to"
        case .cannotOpen(let path, let reason):
            "\(path.shownPath) cannot be opened: \(reason.shown(limit: KernelError.longest))"
        case .migrationFailed(let step, let failure):
            "bringing the store to the model failed at \(step.shown), and was undone: \(failure.reason)"
        case .storeBusy:
            "the store is busy: another process or unit of work held it for longer than the time-out; try again"
        case .storeReadOnly(let failure):
            "the store is read-only: \(failure.reason)"
        case .storeFull:
            "the disk is full; the changes are still pending and can be saved when there is room"
        case .storeMoved(let path):
            "\(path.shownPath) was renamed or removed while it was open; open it again"
        case .storeClosed:
            "the store is closed, or the unit of work is over"
        case .storageRetired(let failure):
            "the storage writes no more, because undoing a unit of work failed (\(failure.reason)); let go of it and open "
                + "it anew; what was saved is in the store"
        case .insideUnit(let call):
            "\(call) cannot be called inside a unit of work; call it after perform returned"
        case .insideHook(let call, let hook, let advice):
            "\(call) cannot be called inside \(hook); \(advice)"
        case .contextSuspended:
            "the context answers no requests while its nested unit runs; use the nested unit's own context"
        case .usedAfterFork:
            "the store was open at fork(), and cannot be used in the child process; let go of the storage before the "
                + "fork, or start the child as a program of its own (Process, exec)"
        case .database(let failure):
            failure.reason
        }
    }

    /// What the database said, for the cases that come from it.
    public var failure: DatabaseFailure? {
        switch self {
        case .uniqueViolation(_, _, let failure), .missingValue(_, _, let failure), .storeDamaged(_, let failure),
            .migrationFailed(_, let failure), .storeBusy(let failure), .storeReadOnly(let failure),
            .storeFull(let failure), .storageRetired(let failure), .database(let failure):
            failure
        default: nil
        }
    }
}

extension KernelError: LocalizedError {
    /// What `localizedDescription` says: the same as ``description``.
    public var errorDescription: String? { description }
}

extension KernelError {
    /// How many characters of a reason a message shows.
    fileprivate static let longest = 2_000

    fileprivate static func list(_ issues: [String]) -> String {
        issues.map { $0.shown(limit: KernelError.longest) }.joined(separator: "\n- ")
    }
}

extension String {
    fileprivate var shownPath: String { shown(limit: 1_024) }
}
