import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { age, tablesWith } from '#test/aged-database.ts'
import { unpackShop } from '#test/lived-in-shop/archive.ts'
import { type LivedInShop, openLivedInShop } from '#test/lived-in-shop/shop.ts'

const USED_SHOP = resolve(import.meta.dirname, '../releases/1.0.0/shop.tar.zst')

let folder: string
let shop: LivedInShop
let superuser: Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retention-'))
  await unpackShop(USED_SHOP, folder)
  shop = await openLivedInShop(folder)
  const server = await findRunningPostgres(folder)
  superuser = new Client({ connectionString: server ? postgresUrl(server, 'supabase_admin') : '' })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

const STAFF = `select user_id from public.user_roles where role in ('admin', 'packer')`

/** Tables that name people, of whom the test must find traces before it can miss them. */
const HOLD_PEOPLE = [
  'auth.audit_log_entries',
  'auth.identities',
  'auth.known_networks',
  'auth.mailbox_proofs',
  'auth.mfa_challenges',
  'auth.one_time_tokens',
  'auth.rate_limits',
  'auth.sessions',
  'auth.users',
  'private.texts',
  'public.cart_items',
  'public.changes',
  'public.client_notes',
  'public.contact_submissions',
  'public.gallery_contacts',
  'public.gallery_submissions',
  'public.mails',
  'public.marketing_consents',
  'public.newsletter_signups',
  'public.order_events',
  'public.order_notes',
  'public.orders',
  'public.payment_notices',
  'public.profiles',
  'public.promo_redemptions',
  'public.stock_alerts',
  'simulator.notices',
  'simulator.payments',
]

/** What identifies the people who bought, wrote or subscribed, in every form in which it may be stored. */
async function readMarkers(): Promise<string[]> {
  const { rows } = await superuser.query<{ marker: string }>(`
    select distinct marker from (
      select unnest(array[email, full_name, phone, address]) from public.profiles where id not in (${STAFF})
      union select unnest(array[customer_email, customer_name, customer_phone, shipping_address]) from public.orders
      union select unnest(array[email, name]) from public.contact_submissions
      union select email from public.gallery_contacts
      union select customer_name from public.gallery_submissions
      union select email from public.newsletter_signups
      union select email from public.stock_alerts
      union select host(ip) from auth.sessions where user_id not in (${STAFF})
    ) as found (marker)
    where length(marker) > 4 and marker <> 'Erased'`)
  const plain = rows.map(({ marker }) => marker)
  const encoded = plain.flatMap((marker) => [encodeURIComponent(marker), marker.replaceAll(' ', '+')])
  return Array.from(new Set([...plain, ...encoded]))
}

/** Outside the database: pictures, PostgreSQL's log, whatever else lies in the data folder. */
async function filesWith(markers: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /^postgres(?:\.before-[^/]*)?\//.test(relative(folder, path))) continue
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const content = await readFile(path)
    if (markers.some((marker) => content.includes(marker))) found.push(path)
  }
  return found
}

const RETENTION = ['sweep_expired', 'erase_inactive_customers', 'delete_old_changes']

/** What retention does, for every notice at once. */
const ERASE_NOTICES = `update public.payment_notices set raw_body = 'Erased', headers = '{}', source_address = null`

async function run(...tasks: string[]): Promise<void> {
  await shop.sql('select graphile_worker.add_job(task) from unnest($1::text[]) as task', [tasks])
  await shop.runJobs()
}

/** Rows that a visit of seconds leaves and the used shop has lost, with the marker of somebody who is not staff. */
async function leaveTraces(): Promise<void> {
  await superuser.query(`
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
    select gen_random_uuid(), p.id, 'recovery_token', 'hash', p.email from public.profiles p where p.email = 'customer-1@example.com';
    insert into auth.mfa_challenges (id, factor_id, ip_address) select gen_random_uuid(), f.id, '105.1.5.7' from auth.mfa_factors f limit 1;
    insert into auth.audit_log_entries (id, payload, ip_address) values (gen_random_uuid(), '{"actor": "customer-1@example.com"}', '105.1.0.7');
    insert into private.texts (sent_to, channel, code) values ('082 555 1001', 'sms', '123456');
    insert into public.order_notes (order_id, body, author_id)
    select o.id, 'Rang ' || o.customer_name, gen_random_uuid() from public.orders o where o.customer_name is not null`)
  // A cart of words that no page sends; without triggers, which know the catalogue.
  await superuser.query(`set session_replication_role = replica;
    insert into public.cart_items (user_id, product_name, product_variant, price, with_hooks, merged_line)
    select p.id, p.full_name, coalesce(p.phone, ''), 1, false, p.address from public.profiles p where p.email = 'customer-1@example.com';
    reset session_replication_role`)
  // What the audit log keeps of an admin's correction.
  const [admin] = await shop.sql<{ id: string }>(
    `select user_id as id from public.user_roles where role = 'admin' limit 1`,
  )
  await superuser.query(`set request.jwt.claims = '{"sub": "${admin?.id}", "role": "authenticated"}'`)
  await superuser.query(
    `update public.profiles set address = address || ', Unit 5' where email = 'customer-2@example.com'`,
  )
  await superuser.query('reset request.jwt.claims')
}

it('keeps nothing of a former buyer once tax law no longer requires it, and loses no amount and no subscriber', async () => {
  await leaveTraces()
  const markers = await readMarkers()
  const before = await tablesWith(superuser, markers)
  expect(Object.keys(before)).toEqual(HOLD_PEOPLE)
  // Work that a running shop would have finished long ago.
  await age(superuser, '2 months')
  await run('expire_orders', 'restart_lost_jobs')
  const sums = await shop.sql('select private.ledger_totals(now()) as totals')
  const named = 'select count(*)::int as orders from public.orders where customer_name is not null'
  const required = await shop.sql(named)

  await age(superuser, '57 months')
  await run(...RETENTION)
  expect(await shop.sql(named)).toEqual(required)
  await expect(shop.sql(ERASE_NOTICES)).rejects.toThrow('rows of payment_notices are never changed')

  await age(superuser, '13 months')
  await run(...RETENTION)
  await run('delete_unsent_photos')

  const subscriber = ['news-yes@example.com']
  expect(await tablesWith(superuser, markers)).toEqual({
    'public.marketing_consents': subscriber,
    'public.newsletter_signups': subscriber,
  })
  expect(await filesWith(markers)).toEqual([])
  expect(await shop.sql('select private.ledger_totals(now()) as totals')).toEqual(sums)
  expect(await shop.sql('select * from private.broken_sums()')).toEqual([])
  expect(await shop.sql(`select name from storage.objects where bucket_id = 'gallery-private'`)).toEqual([])
})
