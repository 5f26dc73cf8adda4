/// Ends the evaluation of a query that exceeds its limit of steps. The function that catches it throws the actual error.
///
/// An error of size 0: each throwing call reserves stack space for its error, and a query may nest 64 levels deep.
struct QueryLimitExceeded: Error {}

/// Ends the parsing of a path at a syntax error. `JSONPathParser.stop` holds the actual error. Of size 0 for the same reason.
struct PathSyntaxError: Error {}
