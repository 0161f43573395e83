/** The message contains one line per invalid setting. */
export class InvalidSettings extends Error {}
