/** The filters of the history, as in the URL. */
export interface HistoryView {
  page: number
  /** An account's id. */
  who: string
  /** A table's name. */
  thing: string
  /** One row of that table. */
  row: string
  /** Days, `2026-11-21`, both included. */
  from: string
  to: string
}

const PATTERNS = {
  who: /^[0-9a-f-]{36}$/,
  thing: /^[a-z_]{1,63}$/,
  row: /^[\w-]{1,100}$/,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
}

type Filter = keyof typeof PATTERNS

/** Reads a query string such as `?who=…&thing=promo_codes&from=2026-11-01&page=2`; ignores invalid values. */
export function readHistoryView(address: URLSearchParams): HistoryView {
  const page = Number(address.get('page') ?? 1)
  const filter = (name: Filter) => {
    const value = address.get(name) ?? ''
    return PATTERNS[name].test(value) ? value : ''
  }
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    who: filter('who'),
    thing: filter('thing'),
    row: filter('row'),
    from: filter('from'),
    to: filter('to'),
  }
}

/** Returns the query string of a view, without empty filters. */
export function historyAddress({ page, ...filters }: HistoryView): string {
  const address = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  if (page > 1) address.set('page', String(page))
  return address.size > 0 ? `?${address}` : ''
}

export const NO_FILTERS: HistoryView = { page: 1, who: '', thing: '', row: '', from: '', to: '' }

/** Returns the address of a view of the history. */
export function historyLink(view: HistoryView): { pathname: string; search: string } {
  return { pathname: '/admin/history', search: historyAddress(view) }
}
