/// Ends the reading or the answering of a query at once; why is parked where it is caught.
///
/// An error without bytes: each call that can throw keeps room for its error on the stack, and a query may nest 64 deep.
struct QueryLimitExceeded: Error {}
