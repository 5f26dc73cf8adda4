/// The white space around the last member of an object.
struct MemberLayout {
  /// Before the key, and after the colon.
  var lead: [UInt8] = []
  var colon: [UInt8] = []
}

/// Writes the members that rules create.
struct NewMembers {
  private let plan: EditPlan

  init(_ plan: EditPlan) { self.plan = plan }

  /// Returns the text of new members of one object.
  ///
  /// - Parameters:
  ///   - paths: For each rule the index of its path, and of the segment whose name the member has. Of two rules for one member
  ///     the one with the shorter path applies, and of two for the same place the first.
  ///   - layout: The white space of the member before them.
  ///   - hasMembers: Whether the object has such a member.
  ///   - created: Receives the indices of the paths whose value was written.
  func text(
    _ paths: [(path: Int, segment: Int)], _ layout: MemberLayout, after hasMembers: Bool, _ created: inout [Int]
  ) -> [UInt8] {
    var text: [UInt8] = []
    var done: Set<MemberName> = []
    for (path, segment) in paths {
      guard let name = name(path, segment), done.insert(name).inserted else { continue }
      let same = paths.filter { self.name($0.path, $0.segment) == name }
      if hasMembers || !text.isEmpty {
        text.append(ASCII.comma)
        if hasMembers { text += layout.lead }
      }
      text.append(quoting: name.string)
      text.append(ASCII.colon)
      if hasMembers { text += layout.colon }
      if let whole = same.first(where: { $0.segment + 1 == plan.paths[$0.path].segments.count }) {
        if case .set(let value) = plan.paths[whole.path].change { text += value }
        created.append(whole.path)
      } else {
        text.append(ASCII.openBrace)
        text += self.text(same.map { ($0.path, $0.segment + 1) }, MemberLayout(), after: false, &created)
        text.append(ASCII.closeBrace)
      }
    }
    return text
  }

  private func name(_ path: Int, _ segment: Int) -> MemberName? { plan.paths[path].segments[segment].plainName }
}
