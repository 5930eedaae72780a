import DataKernel
import Foundation

/// A condition in both forms: as a request has it, and as Swift says it.
struct Claim<E: Entity> {
    let condition: Condition<E>
    let holds: (E) -> Bool
}

extension Claim where E == Auto {
    /// Each way to ask through relationships, with values drawn at random.
    static func leaf(_ world: RelatedWorld, _ random: inout some RandomNumberGenerator) -> Claim {
        let claims =
            switch Int.random(in: 0...4, using: &random) {
            case 0: texts(&random)
            case 1: numbers(&random)
            case 2: objects(world, &random)
            case 3: toMany(world, &random)
            default: beyond(&random)
            }
        return claims[Int.random(in: claims.indices, using: &random)]
    }

    private static func make(_ holds: @escaping (Auto) -> Bool, _ condition: (Fields<Auto>) -> Condition<Auto>) -> Claim
    {
        Claim(condition: condition(Request<Auto>.fields), holds: holds)
    }

    private static func texts(_ random: inout some RandomNumberGenerator) -> [Claim] {
        let name = ["Ann", "Bob", "Cid"].randomElement(using: &random) ?? ""
        let town = ["Bonn", "Köln", nil].randomElement(using: &random) ?? nil
        return [
            make({ $0.owner?.name == name }) { $0.owner.name == name },
            make({ $0.owner?.name != name }) { $0.owner.name != name },
            make({ $0.owner?.town?.name == town }) { $0.owner.town.name == town },
            make({ $0.owner?.town?.name != town }) { $0.owner.town.name != town },
            make({ $0.owner?.boss?.name == name }) { $0.owner.boss.name == name },
            make({ $0.owner?.boss?.boss?.name != name }) { $0.owner.boss.boss.name != name },
            make({ $0.maker.name == "Firm 1" }) { $0.maker.name == "Firm 1" },
            make({ $0.owner?.name.contains("n") == true }) { $0.owner.name.contains("n") },
            make({ $0.owner?.name.lowercased() == "ann" }) {
                .equal($0.owner.name, to: "ANN", comparing: .insensitive)
            },
            make({ [name, nil].contains($0.owner?.name) }) { $0.owner.name.oneOf([name, nil]) },
            make({ $0.owner?.name == $0.owner?.boss?.name }) { $0.owner.name.equal($0.owner.boss.name) },
            make({ ($0.owner?.name).map { $0 > name } ?? false }) { $0.owner.name > name },
        ]
    }

    private static func numbers(_ random: inout some RandomNumberGenerator) -> [Claim] {
        let number = Int.random(in: 0...4, using: &random)
        let maybe = Bool.random(using: &random) ? number : nil
        func less(_ value: Int?) -> Bool { value.map { $0 < number } ?? false }
        return [
            make({ $0.year == maybe }) { $0.year == maybe },
            make({ $0.owner?.age == maybe }) { $0.owner.age == maybe },
            make({ $0.owner?.age != maybe }) { $0.owner.age != maybe },
            make({ less($0.owner?.age) }) { $0.owner.age < number },
            make({ ($0.owner?.boss?.age).map { (1...2).contains($0) } ?? false }) { $0.owner.boss.age.between(1...2) },
            make({ less($0.motor?.power) }) { $0.motor.power < number },
            make({ $0.motor?.auto?.year == maybe }) { $0.motor.auto.year == maybe },
            make({ ($0.motor?.auto?.price).map { $0 < 10 } ?? false }) { $0.motor.auto.price < 10 },
        ]
    }

    private static func objects(_ world: RelatedWorld, _ random: inout some RandomNumberGenerator) -> [Claim] {
        guard let human = world.humans.randomElement(using: &random), let town = world.towns.first,
            let motor = world.motors.randomElement(using: &random), let auto = world.autos.randomElement(using: &random)
        else { return [] }
        let maybe = Bool.random(using: &random) ? human : nil
        return [
            make({ $0.owner === human }) { $0.owner == human },
            make({ $0.owner !== human }) { $0.owner != human },
            make({ $0.owner === maybe }) { $0.owner == maybe },
            make({ $0.owner?.boss === maybe }) { $0.owner.boss == maybe },
            make({ $0.owner?.boss !== human }) { $0.owner.boss != human },
            make({ $0.owner?.town === town }) { $0.owner.town == town },
            make({ $0.owner?.town == nil }) { $0.owner.town == nil },
            make({ $0.owner?.town != nil }) { $0.owner.town != nil },
            make({ $0.motor === motor }) { $0.motor == motor },
            make({ $0.motor?.auto === auto }) { $0.motor.auto == auto },
            make({ $0.motor == nil }) { $0.motor == nil },
            make({ $0.owner === $0.owner?.boss }) { $0.owner.equal($0.owner.boss) },
        ]
    }

    private static func toMany(_ world: RelatedWorld, _ random: inout some RandomNumberGenerator) -> [Claim] {
        let number = Int.random(in: 0...3, using: &random)
        let worn = Bool.random(using: &random)
        guard let tag = world.tags.randomElement(using: &random), let human = world.humans.first else { return [] }
        let worns: Condition<Rim> = \.worn == worn
        return [
            make({ $0.tyres.count > number }) { $0.tyres.count > number },
            make({ $0.tags.count != number }) { $0.tags.count != number },
            make({ $0.tyres.isEmpty }) { $0.tyres.isEmpty },
            make({ $0.tyres.contains { $0.worn == worn } }) { $0.tyres.contains { $0.worn == worn } },
            make({ $0.tyres.allSatisfy { $0.worn == worn } }) { $0.tyres.allSatisfy { $0.worn == worn } },
            make({ $0.tyres.allSatisfy { $0.worn == worn } }) { _ in .all(\.tyres, worns) },
            make({ !$0.tyres.contains { $0.worn == worn } }) { _ in .none(\.tyres, worns) },
            make({ $0.tags.contains { $0 === tag } }) { $0.tags.contains(tag) },
            make({ $0.tags.contains { $0 === tag } }) { _ in .includes(\.tags, tag) },
            make({ $0.tags.contains { $0.autos.count > number } }) { $0.tags.contains { $0.autos.count > number } },
            make({ $0.tags.allSatisfy { $0.autos.contains { $0.owner === human } } }) {
                $0.tags.allSatisfy { $0.autos.contains { $0.owner == human } }
            },
            make({ $0.tags.isEmpty }) { _ in .isEmpty(\.tags) },
        ]
    }

    private static func beyond(_ random: inout some RandomNumberGenerator) -> [Claim] {
        let number = Int.random(in: 0...3, using: &random)
        let name = ["Ann", "Bob"].randomElement(using: &random) ?? ""
        return [
            make({ $0.owner?.autos.count == number }) { $0.owner.autos.count == number },
            make({ $0.owner?.autos.count != number }) { $0.owner.autos.count != number },
            make({ $0.owner?.autos.isEmpty == true }) { $0.owner.autos.isEmpty },
            make({ $0.owner?.friends.isEmpty == true }) { $0.owner.friends.isEmpty },
            make({ $0.owner?.friends.contains { $0.name == name } == true }) {
                $0.owner.friends.contains { $0.name == name }
            },
            make({ $0.owner?.friends.allSatisfy { $0.boss?.name != name } == true }) {
                $0.owner.friends.allSatisfy { $0.boss.name != name }
            },
            make({ ($0.owner?.wishes.contains { $0.owner?.name == name }).map { !$0 } == true }) {
                $0.owner.wishes.none { $0.owner.name == name }
            },
            make({ $0.motor?.auto?.tyres.count == number }) { $0.motor.auto.tyres.count == number },
            make({ $0.motor?.auto?.tags.isEmpty == true }) { $0.motor.auto.tags.isEmpty },
            make({ $0.owner?.town?.humans.allSatisfy { $0.autos.count > number } == true }) {
                $0.owner.town.humans.all { $0.autos.count > number }
            },
        ]
    }

    /// Claims joined and negated.
    static func tree(_ world: RelatedWorld, _ random: inout some RandomNumberGenerator, levels: Int) -> Claim {
        guard levels > 0 else { return leaf(world, &random) }
        let left = tree(world, &random, levels: levels - 1)
        switch Int.random(in: 0...4, using: &random) {
        case 0: return left
        case 1: return Claim(condition: !left.condition, holds: { !left.holds($0) })
        case 2:
            let right = tree(world, &random, levels: levels - 1)
            return Claim(condition: left.condition || right.condition, holds: { left.holds($0) || right.holds($0) })
        default:
            let right = tree(world, &random, levels: levels - 1)
            return Claim(condition: left.condition && right.condition, holds: { left.holds($0) && right.holds($0) })
        }
    }
}

extension Request {
    /// What `filter(where:)` gives to its closure.
    fileprivate static var fields: Fields<E> { Fields() }
}
