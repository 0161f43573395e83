/** A database error that the operator can fix. The message says what to do; the process prints it without a stack trace. */
export class DatabaseProblem extends Error {}
