/** Files cannot be stored or read. The message is one sentence for the operator. */
export class FileStoreProblem extends Error {}
