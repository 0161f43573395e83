/** Followed by the secret of a subscription; in mails of older versions, by its id. */
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe'
/** Followed by the id of a stock alert. */
export const STOCK_ALERTS_PATH = '/mail/stock-alerts'
/** Followed by the secret that confirms consent to marketing. */
export const CONFIRM_NEWS_PATH = '/mail/confirm'
