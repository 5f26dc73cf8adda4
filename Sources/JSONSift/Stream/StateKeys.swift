/// The names that the states of an automaton look for, as lists that a ``MemberScan`` takes. Each is prepared once, when it
/// is first asked for.
struct StateKeys: ~Copyable {
  /// Of one state: `nil` if it is told of all members.
  private struct Entry: BitwiseCopyable {
    var isMade = false
    var names: KeyPatternLists.Reference?
  }

  private(set) var lists = KeyPatternLists()
  private var allNames: Entry?
  private var entries = PlainVector<Entry>()

  /// The names that the innermost level looks for; `nil` if that is no object, or is told of all members.
  @inline(__always)
  mutating func names(at cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    guard cursor.looksForNames else { return nil }
    return list(of: cursor.level.state, cursor)
  }

  /// The names that a state knows, in their order; `nil` if there are none or too many.
  @inline(__always)
  mutating func list(of state: Int, _ cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    if state < entries.count, case let entry = entries[state], entry.isMade { return entry.names }
    return make(state, cursor)
  }

  /// The names of all states; `nil` if there are none or too many.
  mutating func all(_ cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    if let allNames { return allNames.names }
    let made = Entry(isMade: true, names: lists.add(cursor.automaton.allNames))
    allNames = made
    return made.names
  }

  @inline(never)
  private mutating func make(_ state: Int, _ cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    while entries.count <= state { entries.append(Entry()) }
    entries[state] = Entry(isMade: true, names: lists.add(cursor.automaton.names(of: state)))
    return entries[state].names
  }
}
