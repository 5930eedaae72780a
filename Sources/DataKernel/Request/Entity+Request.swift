internal import KernelSQL

extension Entity {
    /// A request for the objects of one of this object's to-many relationships: to filter, page and count them
    /// without loading all. An ordered relationship's objects come in its order unless the request is sorted.
    ///
    /// ```swift
    /// let recent = try context.fetch(owner.request(\.cars).filter(\.year > 2010).limit(30))
    /// ```
    /// ```sql
    /// SELECT … FROM "Car" WHERE "owner" = ? AND "year" > ? ORDER BY "_id" LIMIT ?
    /// ```
    ///
    /// Costs nothing and never throws. What is wrong with it is thrown when it is used, a key path that is no
    /// relationship's among that.
    public func request<T: Entity>(_ relationship: KeyPath<Self, [T]>) -> Request<T> {
        var request = Request<T>()
        if let index = Self.entity.relationship(at: relationship) {
            request.query.members = Members(of: Self.entity, index, row: kernelState.row)
        } else {
            request.failure = Lookup.noRelationship(BrokenStep(relationship))
        }
        return request
    }
}
