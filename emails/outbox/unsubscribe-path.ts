/** Followed by the id of a subscription. */
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe'
