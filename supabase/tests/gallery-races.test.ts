import { DatabaseError } from 'pg'
import { expect } from 'vitest'

import { test, WAITING } from './crowd.ts'
import { refusalOf, type TestTransaction } from './sql.ts'

const ADDRESS = '/storage/v1/object/public/gallery/'

/** Inserts the row of a file that was uploaded two days ago. */
function upload(sql: TestTransaction, name: string) {
  return sql.rows(
    `insert into storage.objects (bucket_id, name, version, created_at)
     values ('gallery-private', $1, $1, now() - interval '2 days')`,
    [name],
  )
}

async function send(sql: TestTransaction, name: string): Promise<void> {
  await sql.as('anon')
  await sql.rows(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls)
     values ('Sipho', 'Garrick', $1, array[$1])`,
    [ADDRESS + name],
  )
}

test('accepts a photo in one of two submissions that arrive at the same time', async ({ crowd }) => {
  const photo = '1-1700000000.jpg'
  await crowd.shop((sql) => upload(sql, photo))
  await crowd.shop((sql) =>
    sql.rows(`
      create function public.wait_for_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(23); return new; end $$;
      create trigger wait_for_test before insert on public.gallery_submissions
        for each row execute function public.wait_for_test()`),
  )

  const { both } = await crowd.shop(async (sql) => {
    await sql.rows('select pg_advisory_xact_lock(23)')
    const outcomes = [1, 2].map(() => crowd.shop((other) => send(other, photo)).then(() => 'sent', reasonOf))
    await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(2)
    return { both: Promise.all(outcomes) }
  })

  expect((await both).toSorted()).toEqual(['photo_already_sent', 'sent'])
})

test('lets staff decide about a photo while unsent photos are deleted', async ({ crowd }) => {
  const [sent, unsent] = ['2-1700000000.jpg', '3-1700000000.jpg']
  await crowd.shop((sql) => upload(sql, sent))
  await crowd.shop((sql) => upload(sql, unsent))
  await crowd.shop((sql) => send(sql, sent))

  await crowd.shop(async (sql) => {
    expect(await sql.value('select private.delete_unsent_photos()')).toBe(unsent)
    await crowd.shop(async (staff) => {
      await staff.rows(`set local lock_timeout = '1s'`)
      await staff.rows(`update public.gallery_submissions set status = 'approved' where image_url = $1`, [
        ADDRESS + sent,
      ])
    })
  })
})

test('deletes unsent photos in seconds when a thousand photos were sent', async ({ sql }) => {
  // Triggers would take most of the time of this test.
  await sql.rows('alter table public.gallery_submissions disable trigger user')
  await sql.rows(
    `insert into storage.objects (bucket_id, name, version, created_at)
     select 'gallery-private', n || '-1800000000.jpg', n, now() - interval '2 days' from generate_series(1, 1000) as n`,
  )
  await sql.rows(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls)
     select 'Sipho', 'Garrick', url, array[url]
     from generate_series(1, 999) as n, lateral (select $1 || n || '-1800000000.jpg' as url) as photo`,
    [ADDRESS],
  )
  await sql.rows(`set local statement_timeout = '20s'`)

  expect(await sql.value('select private.delete_unsent_photos()')).toBe('1000')
})

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError) return refusalOf(error).reason ?? error.message
  throw error
}
