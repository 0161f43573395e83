import type { Client } from 'pg'

/** A row to copy. */
interface Template {
  table: string
  columns: { name: string; type: string; value: string | null }[]
}

const ORDER_TABLES = ['orders', 'order_items', 'order_events', 'stock_reservations']

/** Reads the rows of one order as templates for bare transactions. */
export async function orderTemplates(client: Client, orderId: string): Promise<Template[]> {
  const ofOrder = ORDER_TABLES.map((name) => ({
    table: `public.${name}`,
    where: `${name === 'orders' ? 'id' : 'order_id'} = $1`,
  }))
  const ofBuyer = '(select customer_id from public.orders where id = $1)'
  const besides = [
    { table: 'private.reservation_time', where: `customer_id = ${ofBuyer}` },
    // The entry for realtime subscribers and the row of the rate limit.
    { table: 'realtime_feed.entries', where: `record ->> 'id' = $1::uuid::text` },
    { table: 'auth.rate_limits', where: `bucket = 'place_order' and subject = ${ofBuyer}::text` },
  ]
  const templates: Template[] = []
  for (const { table, where } of [...ofOrder, ...besides]) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { rows } = await client.query(
      `select name, type, to_jsonb(row) ->> name as value
       from ${table} row, (
         select attname::text as name, format_type(atttypid, atttypmod) as type
         from pg_attribute
         where attrelid = $2::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = '') columns
       where ${where}`,
      [orderId, table],
    )
    templates.push({ table, columns: rows })
  }
  return templates
}

export interface BareOrder {
  templates: Template[]
  customerId: string
}

/** Writes a copy of an order for another customer without triggers and policies: begin, one insert per row, commit. */
export async function writeBareOrder(client: Client, { templates, customerId }: BareOrder): Promise<void> {
  await client.query('begin')
  const orderId = crypto.randomUUID()
  const own: Record<string, string> = {
    customer_id: customerId,
    actor_id: customerId,
    subject: customerId,
    order_id: orderId,
  }
  for (const template of templates) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(insertOf(template, own))
  }
  await client.query('commit')
}

function insertOf({ table, columns }: Template, own: Record<string, string>) {
  const values = columns.map(({ name, value }) => {
    if (name === 'id') return (table === 'public.orders' && own.order_id) || crypto.randomUUID()
    if (name === 'idempotency_key') return crypto.randomUUID()
    return value === null ? null : (own[name] ?? value)
  })
  const places = columns.map(({ type }, index) => `$${index + 1}::${type}`)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    text: `insert into ${table} (${names.join()}) values (${places.join()})`,
    values,
  }
}

/** Inserts a cart line, including the triggers of the table. */
export async function writeBareLine(client: Client, line: Record<string, unknown>): Promise<void> {
  const names = Object.keys(line)
  await client.query('begin')
  await client.query({
    name: 'line',
    text: `insert into public.cart_items (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
    values: Object.values(line),
  })
  await client.query('commit')
}
