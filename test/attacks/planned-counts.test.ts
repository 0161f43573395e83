import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type Person, type TestShop } from '#test/shop.ts'

/** The attack: ask for the planner's estimates, which row-level security does not filter, to learn how much the shop sells. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function counts({ client }: Person) {
  const planned = await client.from('profiles').select('id', { count: 'planned', head: true })
  const filtered = await client
    .from('profiles')
    .select('id', { count: 'planned', head: true })
    .gt('created_at', '2000-01-01')
  const estimated = await client.from('profiles').select('id', { count: 'estimated', head: true })
  return [planned.count, filtered.count, estimated.count]
}

it('counts only a customer’s own rows as the planned and the estimated count', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => shop.signUp()))
  await shop.database.owner.query('analyze public.profiles')
  const [customer = await shop.signUp()] = people

  expect(await counts(customer)).toEqual([1, 1, 1])
})

it('returns the planner’s estimate to staff', async () => {
  // The statistics are from before the delete.
  await shop.database.owner
    .query(`create table public.notes (id int primary key) with (autovacuum_enabled = off);
    insert into public.notes select generate_series(1, 3000); analyze public.notes; delete from public.notes;
    alter table public.notes enable row level security;
    create policy select_as_staff on public.notes for select to authenticated using ((select private.is_staff()));
    grant select on public.notes to authenticated; notify pgrst, 'reload schema'`)
  const totals = await Promise.all(
    [await shop.packer(), await shop.signUp()].map(async ({ client }) => {
      const { data } = await client.auth.getSession()
      const answer = await shop.fetch('/rest/v1/notes?select=id', {
        headers: {
          apikey: shop.keys.publishable,
          authorization: `Bearer ${data.session?.access_token}`,
          prefer: 'count=planned',
        },
      })
      return Number(answer.headers.get('content-range')?.split('/')[1])
    }),
  )

  expect(totals[0]).toBeGreaterThan(1000)
  expect(totals[1]).toBe(0)
})
