/// Ends the evaluation of a query that exceeds its limit of steps. The function that catches it throws the actual error.
///
/// An error of size 0: each throwing call reserves stack space for its error, and a query may nest 64 levels deep.
struct QueryLimitExceeded: Error {}
