import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { dateTimeText } from '#app/ui/local-date.tsx'
import type { Change, Row } from './change.ts'

/** What a person calls a row of each table. */
const THINGS: Record<string, string> = {
  contact_answers: 'Message',
  contact_submissions: 'Message',
  courier_companies: 'Courier',
  full_gallery_days: 'Full gallery',
  gallery_contacts: 'Photo’s sender',
  gallery_submissions: 'Photo',
  newsletter_signups: 'Subscriber',
  order_items: 'Order line',
  order_notes: 'Internal note',
  orders: 'Order',
  product_variants: 'Colour',
  products: 'Product',
  profiles: 'Client',
  promo_codes: 'Promo code',
  refund_tasks: 'Refund due',
  shop_settings: 'Settings',
  user_roles: 'Staff',
}

/** Rows whose coming and going is an act with a word of its own. */
const ACTS: Record<string, string> = {
  'insert contact_answers': 'marked as done',
  'delete contact_answers': 'opened again',
  'insert full_gallery_days': 'noted',
  'delete full_gallery_days': 'dismissed',
  'insert user_roles': 'given a role',
  'delete user_roles': 'relieved of a role',
}

const NOTHING = 'nothing'

const VERBS: Record<Change['verb'], string> = { insert: 'added', update: 'changed', delete: 'deleted' }

const MONEY = new Set([
  'amount',
  'outstanding',
  'price',
  'price_with_hooks',
  'min_order_amount',
  'total_amount',
  'subtotal_amount',
  'shipping_cost',
  'discount_amount',
  'shipping_rate',
  'free_shipping_from',
])

/** Bookkeeping that says nothing to a person. */
const UNSAID = new Set(['id', 'created_at', 'updated_at'])

/** Every kind of thing the filter offers, by its table. */
export const THINGS_BY_NAME: readonly (readonly [table: string, name: string])[] = Object.entries(THINGS)
  .filter(([table]) => table !== 'contact_submissions')
  .toSorted(([, a], [, b]) => a.localeCompare(b))

/** `Promo code SPRING-10 changed`. */
export function changeTitle({ table_name, row_name, verb }: Change): string {
  const act = ACTS[`${verb} ${table_name}`] ?? VERBS[verb]
  return [thingName(table_name), rowName(table_name, row_name), act].filter(Boolean).join(' ')
}

export function thingName(table: string): string {
  return THINGS[table] ?? fieldName(table)
}

function rowName(table: string, name: string | null): string | null {
  return table === 'orders' && name ? `#${orderNumberText(Number(name))}` : name
}

export interface FieldChange {
  field: string
  before: string | null
  after: string | null
}

/** Each field with its old and its new value; of rows that were added or deleted, the fields with a value. */
export function fieldChanges(change: Change): FieldChange[] {
  const { verb, before, after } = change
  const row = { ...before, ...after }
  const columns = Object.keys(row).filter(
    (column) =>
      !UNSAID.has(column) &&
      !isReference(column, change) &&
      (verb === 'update' || !isDerivedOrEmpty(column, row)),
  )
  return columns.map((column) => ({
    field: fieldName(column),
    before: before && displayValue(column, before),
    after: after && displayValue(column, after),
  }))
}

/** References to other rows and to people are ids, which mean nothing to a reader. */
function isReference(column: string, { before, after }: Change): boolean {
  return column.endsWith('_id') || [before?.[column], after?.[column]].some(isUuid)
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
}

/** A new row's slug is made of its name, and the address of its picture's file tells a reader nothing. */
function isDerivedOrEmpty(column: string, row: Row): boolean {
  return column === 'slug' || column.startsWith('image_url') || displayValue(column, row) === NOTHING
}

/** What changed too, and is not kept in the log. */
export function withheldFields({ withheld }: Change): string {
  return withheld.map(fieldName).join(', ')
}

export function actorName({ actor, actor_name }: Change): string {
  if (actor_name) return actor_name
  if (actor === 'secret key') return 'A program with the secret key'
  return actor === 'server' ? 'A command on the server' : 'A former account'
}

/** A value as a person would say it. */
export function displayValue(column: string, row: Row): string {
  const value = row[column]
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return MONEY.has(column) ? formatTotal(centsFromRand(value)) : String(value)
  if (typeof value === 'string') return isMoment(value) ? dateTimeText(value) : value
  return displayCollection(value)
}

/** Lists (of pictures, of specs) by their length: their content is too long for a line. */
function displayCollection(value: object): string {
  const count = Object.keys(value).length
  if (count === 0) return NOTHING
  return count === 1 ? '1 entry' : `${count} entries`
}

function isMoment(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)
}

/** `min_order_amount` → `Min order amount`. */
export function fieldName(name: string): string {
  const words = name
    .replace(/_(id|at)$/, '')
    .replaceAll('_', ' ')
    .replace(/\bemail\b/, 'e-mail')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
