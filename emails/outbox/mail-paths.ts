/** Followed by the id of a subscription. */
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe'
/** Followed by the id of a stock alert. */
export const STOCK_ALERTS_PATH = '/mail/stock-alerts'
