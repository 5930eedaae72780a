import DataKernel

extension RandomUnit {
    /// A duplicate makes every read and the save fail; the changes stay pending, are mended, and go on.
    func settleDuplicates() throws {
        guard world.model.hasDuplicate else { return }
        note("duplicate")
        do {
            if below(2) == 0 { try save() } else { _ = try context.count(Request<Car>()) }
            throw Disagreement(description: "a duplicate was not noticed")
        } catch let error as KernelError {
            guard case .uniqueViolation("Car", _, _) = error else { throw error }
        }
        for case let car as Car in context.insertedObjects + context.updatedObjects {
            let row = car.objectID.row
            let (model, number) = ("fresh \(world.freshNumber())", String(world.freshNumber()))
            note("mend \(row): \(model), \(number)")
            car.set("model", model)
            car.set("number", number)
            guard world.model.view[row] != nil else { continue }
            changes.set(row, "model", model, world.model.base)
            changes.set(row, "number", number, world.model.base)
        }
        _ = try context.count(Request<Car>())
    }

    func checkHeld() throws {
        for car in held {
            let row = car.objectID.row
            guard let values = world.model.view[row] else {
                try agree(car.isDeleted, "row \(row) is gone and its object not marked")
                continue
            }
            try agree(!car.isDeleted, "row \(row) is there and its object marked deleted")
            try agree(car.naive == values, "row \(row) shows \(car.naive), not \(values)")
            try agree(car.isInserted == (changes.inserts[row] != nil), "row \(row): isInserted \(car.isInserted)")
            let edited = Set((changes.edits[row] ?? [:]).keys)
            try agree(Set(car.changedAttributes) == edited, "row \(row): \(car.changedAttributes), not \(edited)")
            try agree(car.hasChanges == (car.isInserted || !edited.isEmpty), "row \(row): hasChanges")
        }
    }

    func checkLists() throws {
        func rows(_ objects: [any Entity]) -> Set<Int64> { Set(objects.map(\.objectID.row)) }
        try agree(rows(context.insertedObjects) == Set(changes.inserts.keys), "other insertedObjects")
        try agree(rows(context.updatedObjects) == Set(changes.edits.keys), "other updatedObjects")
        for object in context.removedObjects {
            try agree(world.model.view[object.objectID.row] == nil, "a removed object's row is there")
        }
        if !changes.isEmpty { try agree(context.hasChanges, "no changes, in spite of \(changes)") }
        if changes.isEmpty, !changes.hadRemovals { try agree(!context.hasChanges, "changes that are none") }
    }

    // MARK: Questions

    func randomQuestion() -> NaiveStore.Question {
        var question = NaiveStore.Question()
        switch below(5) {
        case 0: (question.field, question.value) = ("mark", below(3) == 0 ? nil : "K\(below(3))")
        case 1: (question.field, question.value) = ("number", below(3) == 0 ? nil : String(below(8)))
        case 2: (question.field, question.value) = ("model", "M\(below(25))")
        case 3: (question.field, question.value) = ("year", String(below(6)))
        default: (question.field, question.value, question.isLess) = ("year", String(below(7)), true)
        }
        question.sort = ["model", "mark", "number", "year"][below(4)]
        question.ascending = below(2) == 0
        if below(3) == 0 { question.limit = below(5) }
        if below(4) == 0 { question.offset = below(3) }
        return question
    }

    func request(_ question: NaiveStore.Question) -> Request<Car> {
        var request = Request<Car>()
        let number = question.value.flatMap { Int($0) }
        switch question.field {
        case "mark": request = request.filter("mark", equalTo: question.value)
        case "number": request = request.filter(\.number == number)
        case "model": request = request.filter(\.model == question.value ?? "")
        default: request = request.filter(question.isLess ? \.year < number ?? 0 : \.year == number ?? 0)
        }
        request = request.sort(question.sort, ascending: question.ascending)
        if let limit = question.limit { request = request.limit(limit) }
        if question.offset > 0 { request = request.offset(question.offset) }
        return request
    }

    func ask() throws {
        let question = randomQuestion()
        let rows = world.model.answer(question)
        let cars = try context.fetch(request(question))
        try agree(cars.map(\.objectID.row) == rows, "\(question): \(cars.map(\.objectID.row)), not \(rows)")
        for car in cars {
            let row = car.objectID.row
            try agree(car.naive == world.model.view[row], "row \(row): fetched \(car.naive)")
            if let other = held.first(where: { $0.objectID.row == row }) {
                try agree(other === car, "row \(row) has two instances")
            }
        }
        try agree(try context.count(request(question)) == rows.count, "\(question): another count")
        try agree(try context.exists(request(question)) == !rows.isEmpty, "\(question): another exists")
        if below(2) == 0 { held += cars.prefix(2) }
    }
}
