import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, aPacker } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const REVIEW = 'select public.review_photo($1, $2, $3, $4)'

async function aPhoto(sql: TestTransaction): Promise<string> {
  return sql.value<string>(
    `insert into public.gallery_submissions (customer_name, email, description, image_url, image_urls)
     values ('Sipho', 'sipho@example.com', 'Garrick', '/a.jpg', '{/a.jpg}') returning id`,
  )
}

const statusOf = (sql: TestTransaction, id: string) =>
  sql.value('select status from public.gallery_submissions where id = $1', [id])

function verdictsOn(sql: TestTransaction, id: string) {
  return sql.rows(
    'select verdict, reason, decided_by from public.gallery_reviews where submission_id = $1 order by id',
    [id],
  )
}

describe('photo review', () => {
  // covers A29
  test('records each review of a photo with the author and reason', async ({ sql }) => {
    const [id, admin, brother] = [await aPhoto(sql), await anAdmin(sql), await anAdmin(sql)]
    await sql.as(admin)
    await sql.rows(REVIEW, [id, 'pending', 'declined', ' No lure in sight '])
    await sql.as(brother)
    await sql.rows(REVIEW, [id, 'declined', 'pending', null])
    await sql.rows(REVIEW, [id, 'pending', 'approved', 'a reason that approving has none of'])

    expect(await statusOf(sql, id)).toBe('approved')
    expect(await verdictsOn(sql, id)).toEqual([
      { verdict: 'declined', reason: 'No lure in sight', decided_by: admin.sub },
      { verdict: 'pending', reason: null, decided_by: brother.sub },
      { verdict: 'approved', reason: null, decided_by: brother.sub },
    ])
  })

  test('rejects a review of a photo that another person has just reviewed', async ({ sql }) => {
    const id = await aPhoto(sql)
    await sql.as(await anAdmin(sql))
    await sql.rows(REVIEW, [id, 'pending', 'approved', null])

    expect(await sql.refusal(REVIEW, [id, 'pending', 'declined', 'Blurred'])).toMatchObject({
      code: 'PT409',
      reason: 'already_reviewed',
      facts: { status: 'approved' },
    })
    expect(await statusOf(sql, id)).toBe('approved')
  })

  test('accepts a review again from its author, whose first answer was lost, and records it once', async ({
    sql,
  }) => {
    const [id, admin, brother] = [await aPhoto(sql), await anAdmin(sql), await anAdmin(sql)]
    await sql.as(admin)
    await sql.rows(REVIEW, [id, 'pending', 'declined', 'Blurred'])

    await sql.rows(REVIEW, [id, 'pending', 'declined', ' Blurred '])

    expect(await verdictsOn(sql, id)).toHaveLength(1)
    expect(await sql.refusal(REVIEW, [id, 'pending', 'declined', 'No lure in sight'])).toMatchObject({
      reason: 'already_reviewed',
    })
    await sql.as(brother)
    expect(await sql.refusal(REVIEW, [id, 'pending', 'declined', 'Blurred'])).toMatchObject({
      reason: 'already_reviewed',
    })
  })

  test('sends no mail when a photo is reviewed', async ({ sql }) => {
    const id = await aPhoto(sql)
    const before = await sql.touched('select from public.mails')
    await sql.as(await anAdmin(sql))

    await sql.rows(REVIEW, [id, 'pending', 'declined', 'Blurred'])

    await sql.asShop()
    expect(await sql.touched('select from public.mails')).toBe(before)
  })

  test('records photo reviews that are made by table updates or by undo', async ({ sql }) => {
    const [id, admin] = [await aPhoto(sql), await anAdmin(sql)]
    await sql.as(admin)
    await sql.rows(`update public.gallery_submissions set status = 'approved' where id = $1`, [id])
    await sql.rows(
      `select public.undo_change(id) from public.history where table_name = 'gallery_submissions' and row_id = $1`,
      [id],
    )

    expect(await statusOf(sql, id)).toBe('pending')
    expect(await verdictsOn(sql, id)).toMatchObject([{ verdict: 'approved' }, { verdict: 'pending' }])
  })

  test('rejects photo reviews by customers, of unknown photos and with unknown decisions', async ({
    sql,
  }) => {
    const [id, admin, customer] = [await aPhoto(sql), await anAdmin(sql), await aCustomer(sql)]
    await sql.as(customer)
    expect((await sql.refusal(REVIEW, [id, 'pending', 'approved', null])).code).toBe('42501')
    await sql.as(admin)

    expect(await sql.refusal(REVIEW, [admin.sub, 'pending', 'approved', null])).toMatchObject({
      code: 'PT404',
      reason: 'submission_not_found',
    })
    expect((await sql.refusal(REVIEW, [id, 'pending', 'framed', null])).constraint).toBe('unknown_status')
  })
})

const DELETE = 'delete from public.gallery_submissions where id = $1'

describe('deleting a photo', () => {
  test('removes everything about the sender once the photo was declined, and the history keeps no words', async ({
    sql,
  }) => {
    const [id, admin] = [await aPhoto(sql), await anAdmin(sql)]
    await sql.rows(
      `update public.gallery_submissions set image_url = $2, image_urls = array[$2] where id = $1`,
      [id, '/storage/v1/object/public/gallery/1-1700000000.jpg'],
    )
    await sql.rows(
      `insert into storage.objects (bucket_id, name, version, created_at)
       values ('gallery-private', '1-1700000000.jpg', 'its-version', now() - interval '2 days')`,
    )
    await sql.as(admin)
    await sql.rows(REVIEW, [id, 'pending', 'declined', 'The sender asked for it'])

    await sql.asShop()
    await sql.rows(
      `select private.queue_mail('again:1', m.template, m.recipient, m.props) from public.mails m where m.key = 'gallery:' || $1`,
      [id],
    )
    await sql.as(admin)

    await sql.rows(DELETE, [id])

    await sql.asShop()
    for (const table of ['gallery_contacts', 'gallery_reviews'])
      expect(await sql.rows(`select from public.${table} where submission_id = $1`, [id])).toEqual([])
    expect(await sql.rows(`select from public.mails where props ->> 'submissionId' = $1`, [id])).toEqual([])
    const entry = await sql.row<{ before: object }>(
      `select verb, actor_id, before from public.changes where row_id = $1 and table_name = 'gallery_submissions'
       order by id desc limit 1`,
      [id],
    )
    expect(entry).toMatchObject({ verb: 'delete', actor_id: admin.sub })
    expect(JSON.stringify(entry.before)).not.toMatch(/Sipho|Garrick/)
    expect(await sql.rows('select * from private.delete_unsent_photos()')).toEqual([
      { delete_unsent_photos: 'its-version' },
    ])
  })

  test('is refused to packers, and to admins before the photo was declined', async ({ sql }) => {
    const [id, admin, packer] = [await aPhoto(sql), await anAdmin(sql), await aPacker(sql)]
    const isDeletedBy = async (person: typeof admin) => {
      await sql.as(person)
      await sql.rows(DELETE, [id])
      await sql.asShop()
      return (await sql.rows('select from public.gallery_submissions where id = $1', [id])).length === 0
    }
    const deleted = [await isDeletedBy(admin)]
    await sql.as(admin)
    await sql.rows(REVIEW, [id, 'pending', 'approved', null])
    deleted.push(await isDeletedBy(admin))
    await sql.as(admin)
    await sql.rows(REVIEW, [id, 'approved', 'pending', null])
    await sql.rows(REVIEW, [id, 'pending', 'declined', null])
    deleted.push(await isDeletedBy(packer), await isDeletedBy(admin))

    expect(deleted).toEqual([false, false, false, true])
  })
})

test('names the sender of a photo, the catch and the address in the mail to the shop', async ({ sql }) => {
  const id = await aPhoto(sql)

  expect(
    await sql.row(`select recipient, props from public.mails where template = 'gallery-notification'`),
  ).toEqual({
    recipient: null,
    props: {
      submissionId: id,
      customerName: 'Sipho',
      description: 'Garrick',
      imageUrl: '/a.jpg',
      email: 'sipho@example.com',
    },
  })
})

test('keeps all files of a submission that was sent, not only the first', async ({ sql }) => {
  const [first, second, unsent] = ['1-1700000000.jpg', '2-1700000000.jpg', '3-1700000000.jpg']
  for (const name of [first, second, unsent])
    await sql.rows(
      `insert into storage.objects (bucket_id, name, version, created_at)
       values ('gallery-private', $1, $1, now() - interval '2 days')`,
      [name],
    )
  await sql.rows(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls)
     values ('Sipho', 'Garrick', $1 || $2, array[$1 || $2, $1 || $3])`,
    ['/storage/v1/object/public/gallery/', first, second],
  )

  expect(await sql.rows('select * from private.delete_unsent_photos()')).toEqual([
    { delete_unsent_photos: unsent },
  ])
})
