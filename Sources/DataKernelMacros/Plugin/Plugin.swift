/// The compiler plugin behind `@Entity`: started by the compiler, which asks it on standard input and reads the
/// answers on standard output until it closes them.
@main
enum Plugin {
    static func main() {
        let channel = MessageChannel(input: 0, output: 1)
        var server = MacroServer()
        while let message = channel.receive() {
            guard channel.send(server.answer(message)) else { return }
        }
    }
}
