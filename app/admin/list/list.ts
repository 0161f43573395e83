import type { ListName } from '#app/data/query-keys.ts'
import type { RowsQuery } from '#app/data/query-backend.ts'
import type { BrowserClient } from '#database'

/**
 * The definition of a list in the admin area: its filters, sorts and query. `useList` reads its state from the URL, `ListScreen`
 * shows it. See docs/admin-lists.md.
 */
export interface List<Row> {
  /** The first element of its query keys: a mutation that `invalidates` this name invalidates every page. */
  name: ListName
  title: string
  noun: { singular: string; plural: string }
  idOf: (row: Row) => string
  /** The accessible name of a row: `order #00042`. */
  nameOf: (row: Row) => string
  /** The fields that the search covers, shown as placeholder. Without it there is no search box. */
  searchPlaceholder?: string
  filters?: readonly ListFilter[]
  /** The possible sorts by column of the result. */
  sorts: Readonly<Partial<Record<keyof Row & string, ListSort>>>
  /** A leading minus means descending: `-created_at`. */
  defaultSort: string
  /** The filters that show all rows; by default none. */
  allRows?: Readonly<Record<string, string>>
  /** A search without filters, in the default sort, returns at most this many rows: the count then shows "or more". */
  searchEndsAt?: number
  /** Builds the query, including its count. The caller adds sorting and paging. */
  buildQuery: (backend: BrowserClient, criteria: ListCriteria) => ListQuery<Row>
}

export interface ListFilter {
  /** Its query parameter. */
  name: string
  label: string
  /** Without choices, only a link can set the filter, for example from the dashboard. */
  choices?: readonly Choice[]
  /** Labels a value that is not one of the choices; `null` rejects it. */
  labelFor?: (value: string) => string | null
}

export interface Choice {
  value: string
  label: string
}

/** The choices of a filter, from the labels of its values. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface ListSort {
  label: string
  /** `oldest first` */
  ascending: string
  descending: string
}

export interface ListCriteria {
  search: string
  /** By the filter's name; inactive filters are absent. */
  filters: Readonly<Record<string, string | undefined>>
  /** Absent: the default. */
  sort?: string
  /** Lifts the limit of the search, for bulk actions and files. */
  isComplete?: boolean
}

/** The state of a list in the URL. */
export interface ListView extends ListCriteria {
  page: number
  sort: string
}

export interface ListQuery<Row> extends RowsQuery<Row> {
  order: (column: string, direction: { ascending: boolean }) => ListQuery<Row>
  range: (first: number, last: number) => ListQuery<Row>
  in: (column: string, values: readonly string[]) => ListQuery<Row>
}

export const ROWS_ON_A_PAGE = 50
const MAX_VALUE_LENGTH = 100

/** Reads a query string such as `?search=mokoena&status=new&sort=-total_amount&page=2`; ignores invalid values. */
export function readView(
  list: Pick<List<never>, 'filters' | 'sorts' | 'defaultSort'>,
  address: URLSearchParams,
): ListView {
  const page = Number(address.get('page') ?? 1)
  const sort = address.get('sort') ?? list.defaultSort
  const filters = (list.filters ?? []).flatMap((filter) => {
    const value = address.get(filter.name)?.trim().slice(0, MAX_VALUE_LENGTH)
    return value && filterLabel(filter, value) !== null ? [[filter.name, value]] : []
  })
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    search: (address.get('search') ?? '').trim().slice(0, MAX_VALUE_LENGTH),
    sort: parseSort(sort).column in list.sorts ? sort : list.defaultSort,
    filters: Object.fromEntries(filters),
  }
}

/** Returns the query string of a view, without default values. */
export function viewAddress({ defaultSort }: Pick<List<never>, 'defaultSort'>, view: ListView): string {
  const { page, search, sort, filters } = view
  const address = new URLSearchParams()
  if (search) address.set('search', search)
  for (const [name, value] of Object.entries(filters)) if (value) address.set(name, value)
  if (sort !== defaultSort) address.set('sort', sort)
  if (page > 1) address.set('page', String(page))
  return address.size > 0 ? `?${address}` : ''
}

/** Returns the label of a filter's value; `null` for an invalid value. */
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
 * Adds the sort to a query. The id breaks ties; otherwise a row could appear on two pages or on none. It has the column's direction,
 * so that one index serves both directions.
 */
export function sortQuery<Row>(rows: ListQuery<Row>, sort: string): ListQuery<Row> {
  const { column, ascending } = parseSort(sort)
  return rows.order(column, { ascending }).order('id', { ascending })
}

/** `newest first` */
export function sortLabel({ sorts }: Pick<List<never>, 'sorts'>, sort: string): string {
  const { column, ascending } = parseSort(sort)
  const words = sorts[column]
  return (ascending ? words?.ascending : words?.descending) ?? ''
}

/** Equal for views that the same rows match, on whichever page and in whichever sort. */
export function criteriaKey({ search, filters }: ListCriteria): string {
  return JSON.stringify([search, filters])
}

export function isFiltered({ search, filters }: ListCriteria): boolean {
  return search !== '' || Object.keys(filters).length > 0
}

const NO_LIMIT = 1_000_000

type SearchLimits = Pick<List<never>, 'searchEndsAt' | 'defaultSort'>

/**
 * Returns `at_most` for the search function. A limited search finds only the newest rows, so the limit is lifted when a filter, another
 * sort or a bulk action needs the others.
 */
export function searchLimit(
  { searchEndsAt = NO_LIMIT, defaultSort }: SearchLimits,
  { filters, sort = defaultSort, isComplete = false }: ListCriteria,
): number {
  const needsAll = isComplete || sort !== defaultSort || Object.keys(filters).length > 0
  return needsAll ? NO_LIMIT : searchEndsAt
}

/** Whether the search may find more rows than it counts. */
export function isOpenEnded(list: SearchLimits, criteria: ListCriteria, count: number): boolean {
  return criteria.search !== '' && count === searchLimit(list, criteria)
}

/** Returns a condition for the client's `or()`: one of the columns contains the term, ignoring case. */
export function anyContains(columns: readonly string[], term: string): string {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const quoted = `"${pattern.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return columns.map((column) => `${column}.ilike.${quoted}`).join()
}

/** Up to this count the API counts exactly; above it, it returns the query planner's estimate. */
const MAX_EXACT_COUNT = 1000

export function isEstimate(count: number): boolean {
  return count > MAX_EXACT_COUNT
}

/** `143`, or `about 970 000`. */
export function countText(count: number): string {
  return isEstimate(count) ? `about ${Number(count.toPrecision(2)).toLocaleString('en-ZA')}` : String(count)
}
