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
  /** Variant to order. Without it, the template's variant is used and daily sales figures are not updated. */
  variantId?: string | undefined
}

/** Daily sales figures, which the templates do not contain; each connection updates a separate shard. */
const COUNT_SALE = `insert into private.sales_days as kept (day, shard, orders, paid_orders, revenue)
  values (current_date, pg_backend_pid(), 1, 0, 0)
  on conflict on constraint shard_twice do update set orders = kept.orders + 1`

/** Writes a copy of an order for another customer without triggers and policies: begin, one insert per row, commit. */
export async function writeBareOrder(
  client: Client,
  { templates, customerId, variantId }: BareOrder,
): Promise<void> {
  await client.query('begin')
  const orderId = crypto.randomUUID()
  const own: Record<string, string> = {
    customer_id: customerId,
    actor_id: customerId,
    subject: customerId,
    order_id: orderId,
    ...(variantId && { variant_id: variantId }),
  }
  for (const template of templates) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(insertOf(template, own))
  }
  if (variantId) await client.query({ name: 'sale', text: COUNT_SALE })
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

/** Enables or disables foreign key checks on connections that skip triggers: PostgreSQL implements foreign keys as triggers. */
export async function checkForeignKeys(client: Client, { always }: { always: boolean }): Promise<void> {
  const { rows } = await client.query<{ alteration: string }>(
    `select format('alter table %s enable %s trigger %I', t.tgrelid::regclass, $2::text, t.tgname) as alteration
     from pg_trigger t join pg_constraint c on c.oid = t.tgconstraint and c.conrelid = t.tgrelid
     where c.contype = 'f' and t.tgrelid = any ($1::regclass[])`,
    [[...ORDER_TABLES.map((name) => `public.${name}`), 'private.reservation_time'], always ? 'always' : ''],
  )
  // oxlint-disable-next-line no-await-in-loop -- one connection
  for (const { alteration } of rows) await client.query(alteration)
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
