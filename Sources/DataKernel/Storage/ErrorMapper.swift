internal import KernelSQL
internal import KernelSQLite

/// Turns the database's failures into the model's words.
enum ErrorMapper {
    static func error(_ failure: DatabaseFailure, _ plan: EntityPlan?, path: String) -> KernelError {
        switch failure.code {
        case .constraintUnique:
            if let plan, let group = uniqueGroup(failure, plan) {
                return .uniqueViolation(entity: plan.name, attributes: group, failure)
            }
        case .constraintPrimaryKey, .constraintRowID:
            if let plan { return .uniqueViolation(entity: plan.name, attributes: [ModelCheck.idColumn], failure) }
        case .constraintNotNull:
            if let plan, let name = attribute(failure, plan) {
                return .missingValue(entity: plan.name, attribute: name, failure)
            }
        default: break
        }
        return StoreFile.error(failure, path: path)
    }

    /// A value among those that the kernel itself keeps (row ids, keys, pairs) that is not of its kind: another program or
    /// a damaged disk wrote it.
    static func error(_ issue: ValueIssue, _ plan: EntityPlan?, path: String) -> KernelError {
        let place = plan.map { "a row of \($0.name)" } ?? "a row"
        return .storeDamaged(path: path, DatabaseFailure(code: .corrupt, message: "\(place) \(issue.reason)"))
    }

    /// Whether the failure's message names the entity's table.
    static func concerns(_ failure: DatabaseFailure, _ plan: EntityPlan) -> Bool {
        uniqueGroup(failure, plan) != nil || attribute(failure, plan) != nil
            || failure.message.hasSuffix(": \(plan.name).\(ModelCheck.idColumn)")
    }

    // SQLite's messages: "UNIQUE constraint failed: Car.mark, Car.number", "NOT NULL constraint failed: Car.year".

    private static func uniqueGroup(_ failure: DatabaseFailure, _ plan: EntityPlan) -> [String]? {
        for group in plan.uniqueGroups {
            let names = group.map { plan.entity.attributes[$0].name }
            let columns = names.map { "\(plan.name).\($0)" }.joined(separator: ", ")
            if failure.message == "UNIQUE constraint failed: \(columns)" { return names }
        }
        return foreignGroup(failure, plan)
    }

    /// The attributes of an index that the model does not have: another program made it.
    private static func foreignGroup(_ failure: DatabaseFailure, _ plan: EntityPlan) -> [String]? {
        let prefix = "UNIQUE constraint failed: "
        guard failure.message.hasPrefix(prefix) else { return nil }
        var names: [String] = []
        for column in failure.message.dropFirst(prefix.count).split(separator: ", ") {
            guard column.hasPrefix(plan.name + ".") else { return nil }
            let name = String(column.dropFirst(plan.name.count + 1))
            guard plan.entity.position(of: name) != nil else { return nil }
            names.append(name)
        }
        return names.isEmpty ? nil : names
    }

    private static func attribute(_ failure: DatabaseFailure, _ plan: EntityPlan) -> String? {
        for attribute in plan.entity.attributes
        where failure.message == "NOT NULL constraint failed: \(plan.name).\(attribute.name)" {
            return attribute.name
        }
        return nil
    }
}
