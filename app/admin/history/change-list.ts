import { southAfricanDateTime } from '#domain/south-african-time.ts'
import { shop } from '#shop'
import type { ListFile } from '../export/export-button.tsx'
import type { List } from '../list/list.ts'
import { actorName, changeTitle, fieldChanges, withheldFields, type Change } from './change-words.ts'

/** A filter that is set by its own field or by a link, as long as its value has the right form. */
const filter = (name: string, pattern: RegExp) => ({
  name,
  label: name,
  labelFor: (value: string) => (pattern.test(value) ? value : null),
})

export const HISTORY: List<Change> = {
  name: 'history',
  title: 'History',
  noun: { singular: 'change', plural: 'changes' },
  idOf: ({ id }) => String(id),
  nameOf: changeTitle,
  filters: [
    // An account's id, a table's name, and one row of that table.
    filter('who', /^[0-9a-f-]{36}$/),
    filter('thing', /^[a-z_]{1,63}$/),
    filter('row', /^[\w-]{1,100}$/),
    // Days, both included.
    filter('from', /^\d{4}-\d\d-\d\d$/),
    filter('to', /^\d{4}-\d\d-\d\d$/),
  ],
  sorts: { id: { label: 'When', ascending: 'oldest first', descending: 'newest first' } },
  defaultSort: '-id',
  buildQuery(backend, { filters: { who, thing, row, from, to } }) {
    let changes = backend.from('history').select('*', { count: 'estimated' })
    if (who) changes = changes.eq('actor_id', who)
    if (thing) changes = changes.eq('table_name', thing)
    if (row) changes = changes.eq('row_id', row)
    // PostgreSQL converts the shop's local dates.
    if (from) changes = changes.gte('changed_at', `${from} 00:00 ${shop.timeZone}`)
    if (to) changes = changes.lt('changed_at', `${to} 24:00 ${shop.timeZone}`)
    return changes
  },
}

/** Uses the same texts as the page. */
export const HISTORY_FILE: ListFile<Change> = {
  name: 'history.csv',
  columns: [
    ['When', ({ changed_at }) => southAfricanDateTime(changed_at).replace('T', ' ')],
    ['Who', actorName],
    ['What', changeTitle],
    ['Before', (change) => sideOf(change, 'before')],
    ['After', (change) => sideOf(change, 'after')],
    ['Also changed (values not kept)', withheldFields],
    ['Entry', ({ id }) => String(id)],
  ],
}

function sideOf(change: Change, side: 'before' | 'after'): string {
  return fieldChanges(change)
    .flatMap(({ field, [side]: value }) => (value === null ? [] : `${field}: ${value}`))
    .join('\n')
}
