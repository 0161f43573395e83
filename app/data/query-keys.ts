import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Views, filters and inputs: any object that decides what a query returns. */
type Params = object

/** A list's pages and the counts of its views. */
type ListKey<Name extends string> =
  | [list: Name, 'page', view: Params]
  | [list: Name, 'count', address: string]

/** Every query of the sales charts. */
export type SalesQuery =
  | 'sales_by_day'
  | 'sales_by_product'
  | 'sales_by_variant'
  | 'sales_by_province'
  | 'unsold_variants'

/**
 * All query keys. The first element is the subject: mutations and live updates invalidate by subject. The compiler rejects any
 * other key in `queryKey`, `invalidateQueries` and `setQueryData`.
 */
type QueryKey =
  // Cart and checkout
  | ['cancellation', orderId: string | null]
  | ['cart', userId: string]
  | ['confirmation', orderId: string | null]
  | ['lockers']
  | ['lost-order']
  | ['promo-code', code: string]
  // Account
  | ['factors', userId: string | undefined]
  | ['marketing-consent', userId: string]
  | ['own-order', orderId: string]
  | ['own-orders', userId: string, page: number]
  | ['own-profile', userId: string]
  | ['own-sessions', userId: string]
  | ['pending-email', userId: string]
  | ['recovery-codes', userId: string]
  | ['verified-mailbox', userId: string, email: string | null]
  // Orders
  | ListKey<'orders'>
  | ['orders', 'history']
  | ['orders', 'invoice-money', orderIds: string[]]
  | ['orders', 'of', userId: string]
  | ['orders', 'of-payment-issues', orderIds: string[]]
  | ['orders', 'one', orderId: string]
  | ['orders', 'paper', orderIds: string[]]
  | ['orders', 'refund-tasks']
  | ['orders', 'revenue']
  | ['orders', SalesQuery, from: string, to: string]
  | ['cancellation-preview', orderIds: string[]]
  | ['couriers']
  | ['couriers', 'guess', waybill: string]
  | ['mails', 'as-sent', mailId: string]
  | ['mails', 'failed']
  | ['order-events', orderId: string]
  | ['order-items', orderId: string]
  | ['order-mails', orderId: string]
  | ['order-money', 'balance', paymentId: string]
  | ['order-money', 'balances', orderId: string]
  | ['order-money', 'of-list', orderIds: readonly string[]]
  | ['order-money', 'record', orderId: string]
  | ['order-money', 'returnable', orderId: string]
  | ['order-money', 'stock-taken', orderId: string]
  | ['order-notes', orderId: string]
  | ['payment-issues', 'open']
  | ['payment-issues', 'resolutions', issueIds: string[]]
  | ['payment-issues', 'top-up', paymentId: string]
  | ['raw-notice', noticeId: string]
  | ['shipping-mail', shipment: Params]
  | [
      'manual-order-quote',
      lines: Params[],
      promoCode: string,
      shippingMethod: string,
      replaces: string | null,
    ]
  // Products
  | ListKey<'products'>
  | ['product-removal', productId: string]
  | ['products', 'colours', replacedOrderId: string | null]
  | ['products', 'count']
  | ['products', 'low-stock']
  | ['products', 'low-stock-threshold']
  | ['picture', url: string]
  | ['products', 'taggable']
  | ['products', productId: string]
  | ['products', productId: string, 'preview']
  | ['products', productId: string, 'stock']
  | ['products', productId: string, 'stock-history', variantId: string | null]
  | ['products', productId: string, 'unshipped']
  // The other lists
  | ListKey<'gallery'>
  | ['gallery', 'counts']
  | ['gallery', 'photos', submissions: Params[]]
  | ListKey<'messages'>
  | ['messages', 'replies', messageIds: string[]]
  | ListKey<'profiles'>
  | ['profiles', 'count']
  | ['profiles', 'consents', client: Params]
  | ['profiles', 'names', userIds: string[]]
  | ['profiles', 'notes', userId: string]
  | ['profiles', 'one', userId: string]
  | ListKey<'promo-codes'>
  | ListKey<'subscribers'>
  | ['live-client']
  | ['list-settings', list: string]
  | ['saved-views', list: string]
  // The rest of the admin area
  | ['attention-counts']
  | ['first-steps']
  | ['full-gallery-days']
  | ListKey<'history'>
  | ['must-add-second-factor', userId: string | undefined]
  | ['staff-email-preview', mail: Params]
  | ['public-settings']
  | ['setup-checks']
  | ['shop-search', term: string]
  | ['shop-settings']
  | ['shop-settings', 'second-factor']
  | ['staff']
  | ['system']

export type QuerySubject = QueryKey[0]

/** The subjects that are lists of the admin area. */
export type ListName = Extract<QueryKey, [string, 'page', Params]>[0]

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Readonly<QueryKey>
  }
}

/** Marks every query of these subjects as out of date; resolves once the visible ones are loaded again. */
export function invalidateSubjects(client: QueryClient, subjects: Iterable<QuerySubject>): Promise<void> {
  const selected = ofSubjects(subjects)
  // The library goes on with a first load, which may have read the data before it changed.
  const isFirstLoad = (query: Query) =>
    query.state.data === undefined && query.isActive() && selected.predicate(query)
  void client.cancelQueries({ predicate: isFirstLoad })
  return client.invalidateQueries(selected)
}

/** Sets the data of a query, and ends a load that began before: its answer would replace the newer data. */
export function replaceData(client: QueryClient, queryKey: Readonly<QueryKey>, data: unknown): void {
  void client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, data)
}

/** Selects every query of these subjects. */
export function ofSubjects(subjects: Iterable<QuerySubject>) {
  const selected = new Set(subjects)
  return { predicate: ({ queryKey: [subject] }: Query) => selected.has(subject) } satisfies QueryFilters
}
