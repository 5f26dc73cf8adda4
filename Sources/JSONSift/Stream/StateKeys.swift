/// The names that the states of an automaton search for, as lists for a ``TokenIndex``. Each list is made when it is first
/// requested.
struct StateKeys: ~Copyable {
  /// The cached list of one state; without `names` if the state needs all members.
  private struct Entry: BitwiseCopyable {
    var isMade = false
    var names: KeyPatternLists.Reference?
  }

  private(set) var lists = KeyPatternLists()
  private var allNames: Entry?
  private var entries = PlainVector<Entry>()

  /// Returns the names that the innermost level searches for; `nil` if it is not an object or needs all members.
  mutating func names(at cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    guard cursor.looksForNames else { return nil }
    return list(of: cursor.level.state, cursor)
  }

  /// Returns the names of a state in their order; `nil` if there are no names or too many.
  mutating func list(of state: Int, _ cursor: borrowing PathCursor) -> KeyPatternLists.Reference? {
    if state < entries.count, case let entry = entries[state], entry.isMade { return entry.names }
    return make(state, cursor)
  }

  /// Returns the names of all states; `nil` if there are no names or too many.
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
