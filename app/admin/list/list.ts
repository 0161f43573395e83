import type { RowsQuery } from '#app/session/query-backend.ts'
import type { ShopClient } from '#database'

/**
 * A list of the admin area, said once: what it can be asked for and how it asks. `useList` reads its state from the address,
 * `ListScreen` shows it. See docs/admin-lists.md.
 */
export interface List<Row> {
  /** The first word of its query keys: a change that `refreshes` it brings every page of it up to date. */
  name: string
  title: string
  things: { one: string; many: string }
  idOf: (row: Row) => string
  /** Names a row for who cannot see it: `order #00042`. */
  nameOf: (row: Row) => string
  /** What the search box looks through, as its placeholder says it. Without it there is no box. */
  searchPlaceholder?: string
  filters?: readonly ListFilter[]
  /** What it can be sorted by; each key is a column of the answer. */
  sorts: Readonly<Record<string, ListSort>>
  /** The sort that goes without saying; a minus in front turns it round: `-created_at`. */
  defaultSort: string
  /** Searching ends after so many: the count then says "or more". */
  searchEndsAt?: number
  /** The rows that are wanted, counted as `countText` says it. Sorting and paging are added to it. */
  ask: (backend: ShopClient, wanted: ListCriteria) => RowsCall<Row>
}

export interface ListFilter {
  /** Its name in the address. */
  name: string
  label: string
  /** Without choices the value only comes by a link, say from a figure of the dashboard; its chip can be removed. */
  choices?: readonly Choice[]
  /** How the chip words a value that is none of the choices; `null` refuses it. */
  labelFor?: (value: string) => string | null
}

export interface Choice {
  value: string
  label: string
}

export interface ListSort {
  label: string
  /** `oldest first` */
  ascending: string
  descending: string
}

export interface ListCriteria {
  /** Empty: nothing is searched for. */
  search: string
  /** By the filter's name; one that is not set is not there. */
  filters: Readonly<Record<string, string | undefined>>
}

/** What the address says of a list. */
export interface ListView extends ListCriteria {
  page: number
  sort: string
}

/** What the mechanism itself needs of the client's call. */
export interface RowsCall<Row> extends RowsQuery<Row> {
  order: (column: string, direction: { ascending: boolean }) => RowsCall<Row>
  range: (first: number, last: number) => RowsCall<Row>
  in: (column: string, values: readonly string[]) => RowsCall<Row>
}

export const ROWS_ON_A_PAGE = 50
const LONGEST_VALUE = 100

/** `?search=mokoena&status=new&sort=-total_amount&page=2`, whatever somebody typed there. */
export function readView(
  list: Pick<List<never>, 'filters' | 'sorts' | 'defaultSort'>,
  address: URLSearchParams,
): ListView {
  const page = Number(address.get('page') ?? 1)
  const sort = address.get('sort') ?? list.defaultSort
  const filters = (list.filters ?? []).flatMap((filter) => {
    const value = address.get(filter.name)?.trim().slice(0, LONGEST_VALUE)
    return value && filterLabel(filter, value) !== null ? [[filter.name, value]] : []
  })
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    search: (address.get('search') ?? '').trim().slice(0, LONGEST_VALUE),
    sort: parseSort(sort).column in list.sorts ? sort : list.defaultSort,
    filters: Object.fromEntries(filters),
  }
}

/** The address of a view, without what goes without saying. */
export function viewAddress({ defaultSort }: Pick<List<never>, 'defaultSort'>, view: ListView): string {
  const { page, search, sort, filters } = view
  const address = new URLSearchParams()
  if (search) address.set('search', search)
  for (const [name, value] of Object.entries(filters)) if (value) address.set(name, value)
  if (sort !== defaultSort) address.set('sort', sort)
  if (page > 1) address.set('page', String(page))
  return address.size > 0 ? `?${address}` : ''
}

/** What a filter's chip says of a value; `null` when the filter does not know it. */
export function filterLabel({ choices, labelFor }: ListFilter, value: string): string | null {
  const chosen = choices?.find((choice) => choice.value === value)
  if (chosen) return chosen.label
  if (labelFor) return labelFor(value)
  return choices ? null : value
}

/** `-created_at` → that column, newest first. */
export function parseSort(sort: string): { column: string; ascending: boolean } {
  return sort.startsWith('-')
    ? { column: sort.slice(1), ascending: false }
    : { column: sort, ascending: true }
}

/**
 * The id decides between equals; else a row could stand on two pages, or on none. It turns round with the column, so that one index
 * serves both ways.
 */
export function sortQuery<Row>(rows: RowsCall<Row>, sort: string): RowsCall<Row> {
  const { column, ascending } = parseSort(sort)
  return rows.order(column, { ascending }).order('id', { ascending })
}

/** `newest first` */
export function sortLabel({ sorts }: Pick<List<never>, 'sorts'>, sort: string): string {
  const { column, ascending } = parseSort(sort)
  const words = sorts[column]
  return (ascending ? words?.ascending : words?.descending) ?? ''
}

export function isFiltered({ search, filters }: ListCriteria): boolean {
  return search !== '' || Object.keys(filters).length > 0
}

/** A condition for the client's `or()`: one of these columns holds the term, letter for letter, in either case. */
export function anyContains(columns: readonly string[], term: string): string {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const quoted = `"${pattern.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return columns.map((column) => `${column}.ilike.${quoted}`).join()
}

/** So far the API counts the rows of a list; of more it tells what the database's planner expects, which costs nothing. */
const COUNTED_TO = 1000

export function isEstimate(count: number): boolean {
  return count > COUNTED_TO
}

/** `143`, or `about 970 000`. */
export function countText(count: number): string {
  return isEstimate(count) ? `about ${Number(count.toPrecision(2)).toLocaleString('en-ZA')}` : String(count)
}
