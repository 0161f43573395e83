import { centsFromRand, formatTotal } from '#domain/money.ts'
import { ORDER_STATUSES, orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import { FIELDS_OF, fieldLabel } from '#domain/product-fields.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { dateTimeText } from '#app/ui/local-date.tsx'
import type { Tables } from '#database'

export type RecordedRow = Record<string, unknown>

/** One entry of the history: a change to one row. */
export type Change = Omit<Tables<'history'>, 'session_id' | 'personal' | 'row_label'>

/** The singular name of each table's rows. */
const ROW_NAMES: Record<string, string> = {
  contact_answers: 'Message',
  contact_replies: 'Answer',
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

/** Verbs for tables whose inserts and deletes have a meaning of their own. */
const TABLE_VERBS: Record<string, string> = {
  'insert contact_answers': 'marked as done',
  'delete contact_answers': 'reopened',
  'insert contact_replies': 'sent',
  'insert full_gallery_days': 'noted',
  'delete full_gallery_days': 'dismissed',
  'insert user_roles': 'given a role',
  'delete user_roles': 'removed from a role',
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

/** Columns whose values are codes, such as `pending_payment`. */
const CODES = new Set([
  'cancellation_reason',
  'discount_type',
  'refund_way',
  'role',
  'shipping_method',
  'source',
  'status',
])

/** Technical columns that mean nothing to a reader. */
const HIDDEN_COLUMNS = new Set(['id', 'created_at', 'updated_at'])

/** The tables that the filter offers, sorted by name. */
export const FILTER_TABLES: readonly (readonly [table: string, name: string])[] = Object.entries(ROW_NAMES)
  .filter(([table]) => table !== 'contact_submissions')
  .toSorted(([, a], [, b]) => a.localeCompare(b))

/** `Promo code SPRING-10 changed`. */
export function changeTitle({ table_name, row_name, verb }: Change): string {
  const verbText = TABLE_VERBS[`${verb} ${table_name}`] ?? VERBS[verb]
  return [singularName(table_name), rowLabel(table_name, row_name), verbText].filter(Boolean).join(' ')
}

export function singularName(table: string): string {
  return ROW_NAMES[table] ?? fieldName(table)
}

function rowLabel(table: string, name: string | null): string | null {
  return table === 'orders' && name ? `#${orderNumberText(Number(name))}` : name
}

export interface FieldChange {
  field: string
  before: string | null
  after: string | null
}

/** Returns each field with its old and new value; for added or deleted rows, only fields with a value. */
export function fieldChanges(change: Change): FieldChange[] {
  const { verb, before, after, table_name: table } = change
  const row = { ...before, ...after }
  const columns = Object.keys(row).filter(
    (column) =>
      !HIDDEN_COLUMNS.has(column) &&
      !isReference(column, change) &&
      (verb === 'update' || !isDerivedOrEmpty(column, row)),
  )
  return columns.map((column) => ({
    field: fieldName(column, table),
    before: before && displayValue(column, before),
    after: after && displayValue(column, after),
  }))
}

/** Ids of rows and people mean nothing to a reader. */
function isReference(column: string, { before, after }: Change): boolean {
  return column.endsWith('_id') || [before?.[column], after?.[column]].some(isUuid)
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
}

/** A new row's slug is derived from its name, and the URL of its picture means nothing to a reader. */
function isDerivedOrEmpty(column: string, row: RecordedRow): boolean {
  return column === 'slug' || column.startsWith('image_url') || displayValue(column, row) === NOTHING
}

/** Lists the changed fields whose values the history does not record. */
export function withheldFields({ withheld, table_name: table }: Change): string {
  return withheld.map((column) => fieldName(column, table)).join(', ')
}

export function actorName({ actor, actor_name }: Change): string {
  if (actor_name) return actor_name
  if (actor === 'secret key') return 'A program with the secret key'
  return actor === 'server' ? 'A command on the server' : 'A former account'
}

/** Formats a column's value for the reader. */
export function displayValue(column: string, row: RecordedRow): string {
  const value = row[column]
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return MONEY.has(column) ? formatTotal(centsFromRand(value)) : String(value)
  if (typeof value === 'string') return displayText(column, value)
  return displayCollection(value)
}

function displayText(column: string, value: string): string {
  if (isTimestamp(value)) return dateTimeText(value)
  if (!CODES.has(column)) return value
  if (column === 'shipping_method') return shippingMethodLabel(value)
  return ORDER_STATUSES.some((status) => status === value) ? orderStatusLabel(value) : inWords(value)
}

/** Shows lists (pictures, specs) by their length: their content is too long for a line. */
function displayCollection(value: object): string {
  const count = Object.keys(value).length
  if (count === 0) return NOTHING
  return count === 1 ? '1 entry' : `${count} entries`
}

function isTimestamp(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)
}

/** The label of a product's field, else `min_order_amount` → `Min order amount`. */
export function fieldName(name: string, table = ''): string {
  const field = FIELDS_OF[table]?.[name]
  if (field) return fieldLabel(field)
  return inWords(name.replace(/_(id|at)$/, '').replace(/(?<![^_])email(?![^_])/, 'e-mail'))
}

function inWords(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
