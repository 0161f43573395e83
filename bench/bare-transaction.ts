import type { Client } from 'pg'

/** A row as a template: its table, and its columns with what stood in them. */
interface Template {
  table: string
  columns: { name: string; type: string; value: string | null }[]
}

const IN_ORDER = ['orders', 'order_items', 'order_events', 'stock_holds']

/** The rows that one order consists of, to be written again by transactions that do nothing else. */
export async function orderTemplates(client: Client, orderId: string): Promise<Template[]> {
  const ofOrder = IN_ORDER.map((name) => ({
    table: `public.${name}`,
    where: `${name === 'orders' ? 'id' : 'order_id'} = $1`,
  }))
  const ofBuyer = '(select customer_id from public.orders where id = $1)'
  const besides = [
    { table: 'private.held_time', where: `customer_id = ${ofBuyer}` },
    // What whoever watches is told, and the try that is counted.
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

/** Writes the like of an order for another customer, past triggers and policies: begin, an insert for each row, commit. */
export async function writeBareOrder(
  client: Client,
  templates: Template[],
  customerId: string,
): Promise<void> {
  const orderId = crypto.randomUUID()
  const own: Record<string, string> = {
    customer_id: customerId,
    actor_id: customerId,
    subject: customerId,
    order_id: orderId,
  }
  await client.query('begin')
  for (const { table, columns } of templates) {
    const values = columns.map(({ name, value }) => {
      if (name === 'id') return table === 'public.orders' ? orderId : crypto.randomUUID()
      if (name === 'idempotency_key') return crypto.randomUUID()
      return value === null ? null : (own[name] ?? value)
    })
    const places = columns.map(({ type }, index) => `$${index + 1}::${type}`)
    const names = columns.map(({ name }) => name)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query({
      name: table,
      text: `insert into ${table} (${names.join()}) values (${places.join()})`,
      values,
    })
  }
  await client.query('commit')
}

/** A line in a cart, with the triggers that any writer has to pay for. */
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
