/** A colour of which this many or fewer can still be sold is running low. */
export const LOW_STOCK_AT_MOST = 3
