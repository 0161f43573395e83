/** Something outside the program stands in the way of the database; the message tells the operator what and where. */
export class DatabaseProblem extends Error {}
