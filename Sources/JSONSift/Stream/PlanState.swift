/// What a ``PathMatcher`` knows of one plan. Plain data.
struct PlanState: BitwiseCopyable {
  /// What the values at the end of the steps are asked besides: a segment or more.
  let hasTail: Bool
  /// From a match up to the node from which the descendant step has selected; 0 if there is none.
  let levelsUp: Int
  /// The descendant step selects members of objects, elements of arrays.
  private let selectsMembers: Bool
  private let selectsElements: Bool

  /// Open containers among whose children the descendant step can select, and where the first of them begins.
  var openNodes = 0
  var outermostNode = 0
  /// Candidates that are being recorded.
  var openCandidates = 0
  /// The end of the last candidate that stood in no other.
  var coveredUntil = 0
  /// What the last segment of the tail selects in was there.
  var reachedInTail = false
  /// There is nothing more to come.
  var isAnswered: Bool

  init(_ plan: StreamPlan) {
    hasTail = !plan.tail.isEmpty
    levelsUp = plan.descendant.map { plan.steps.count - $0 } ?? 0
    switch plan.descendant.map({ plan.steps[$0] }) {
    case .name: (selectsMembers, selectsElements) = (true, false)
    case .index, .slice, .elements: (selectsMembers, selectsElements) = (false, true)
    case .wildcard: (selectsMembers, selectsElements) = (true, true)
    case nil: (selectsMembers, selectsElements) = (false, false)
    }
    isAnswered = !plan.isDefinite
  }

  @inline(__always)
  func selectsAmongChildren(of level: PathCursor.Level) -> Bool { level.isObject ? selectsMembers : selectsElements }
}
