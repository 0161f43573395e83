import { describe, expect } from 'vitest'
import { anAdmin } from './shopping.ts'
import { type Sql, test } from './sql.ts'

const CONTACT =
  'insert into public.contact_submissions (name, email, subject, message) values ($1, $2, $3, $4)'
const GALLERY = `insert into public.gallery_submissions (customer_name, email, description, image_url, image_urls, status)
  values ($1, $2, $3, $4, $5, $6) returning *`

function photo(changes: Record<string, unknown> = {}): unknown[] {
  const url = '/storage/v1/object/public/gallery/a.jpg'
  const row = {
    customer_name: 'Sipho',
    email: 'Sipho@example.com',
    description: 'Garrick at first light',
    image_url: url,
    image_urls: [url],
    status: 'pending',
    ...changes,
  }
  return [row.customer_name, row.email, row.description, row.image_url, row.image_urls, row.status]
}

async function galleryAs(sql: Sql, who: 'anon' | { sub: string }) {
  await sql.as(who)
  return sql.rows('select * from public.gallery_submissions')
}

describe('a visitor', () => {
  test('signs up once, in any spelling, and cannot ask who else did', async ({ sql }) => {
    await sql.as('anon')
    await sql.rows(`insert into public.newsletter_signups (email) values (' Sipho@Example.com ')`)

    expect(
      await sql.refusal(`insert into public.newsletter_signups (email) values ('sipho@example.com')`),
    ).toMatchObject({
      code: '23505',
      constraint: 'email_already_signed_up',
    })
    expect(
      await sql.rows(`select email from public.newsletter_signups where email = 'sipho@example.com'`),
    ).toEqual([])
  })

  test('sends one thing at a time', async ({ sql }) => {
    const signUps = `insert into public.newsletter_signups (email)
      select 'angler' || n || '@example.com' from generate_series(1, $1::int) as n`
    await sql.as('anon')

    expect(await sql.refusal(signUps, [6])).toMatchObject({ code: 'PT429', reason: 'too_many_at_once' })
    await sql.rows(signUps, [5])
  })

  test.for([
    '',
    'sipho',
    'sipho@',
    '@example.com',
    'a b@example.com',
    'sipho@example',
    'sipho@exa\nmple.com',
    `${'x'.repeat(250)}@example.com`,
  ])('cannot sign up as %j', async (email, { sql }) => {
    await sql.as('anon')

    expect(
      await sql.refusal('insert into public.newsletter_signups (email) values ($1)', [email]),
    ).toMatchObject({ constraint: 'malformed_email' })
  })

  test.for([
    ['S', 'sipho@example.com', 'Hooks', 'Which hooks do you use?', 'malformed_name'],
    ['x'.repeat(101), 'sipho@example.com', 'Hooks', 'Which hooks do you use?', 'malformed_name'],
    ['Sipho', 'sipho', 'Hooks', 'Which hooks do you use?', 'malformed_email'],
    ['Sipho', 'sipho@example.com', 'Hi', 'Which hooks do you use?', 'malformed_subject'],
    ['Sipho', 'sipho@example.com', 'Hi\r\nBcc: x', 'Which hooks do you use?', 'malformed_subject'],
    ['Sipho', 'sipho@example.com', 'Hooks', 'Too short', 'malformed_message'],
    ['Sipho', 'sipho@example.com', 'Hooks', 'x'.repeat(2001), 'malformed_message'],
  ] as const)(
    'whose message is %s / %s / %s / %s is told what is wrong',
    async ([name, email, subject, message, constraint], { sql }) => {
      await sql.as('anon')

      expect(await sql.refusal(CONTACT, [name, email, subject, message])).toMatchObject({ constraint })
    },
  )

  test('sends a message and cannot read it back; staff can', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as('anon')
    await sql.rows(CONTACT, ['Sipho', 'sipho@example.com', 'Hooks', 'Which hooks do you use?'])
    expect(await sql.refusal('select * from public.contact_submissions')).toMatchObject({ code: '42501' })

    await sql.as(admin)
    expect(await sql.rows('select subject from public.contact_submissions')).toEqual([{ subject: 'Hooks' }])
  })
})

describe('a photo for the gallery', () => {
  test('comes back to its sender once, waits unseen, and is public when approved, without the address', async ({
    sql,
  }) => {
    const admin = await anAdmin(sql)
    await sql.as('anon')
    const sent = await sql.row<{ id: string }>(GALLERY, photo())
    expect(sent).toMatchObject({ status: 'pending', email: null })

    await sql.asShop()
    await sql.rows(`update public.gallery_submissions set created_at = now() - interval '1 second'`)
    expect(await galleryAs(sql, 'anon')).toEqual([])

    await sql.as(admin)
    await sql.rows(`update public.gallery_submissions set status = 'approved' where id = $1`, [sent.id])
    expect(
      await sql.value('select email from public.gallery_contacts where submission_id = $1', [sent.id]),
    ).toBe('sipho@example.com')
    expect(await galleryAs(sql, 'anon')).toMatchObject([{ id: sent.id, email: null }])
    expect(await sql.refusal('select * from public.gallery_contacts')).toMatchObject({ code: '42501' })
  })

  test('keeps the address that staff correct, in its own table', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as('anon')
    const first = await sql.row<{ id: string }>(GALLERY, photo())
    const second = await sql.row<{ id: string }>(GALLERY, photo({ email: null }))
    await sql.as(admin)

    await sql.rows(
      `update public.gallery_submissions set customer_name = 'S. Ndlovu', email = 'right@example.com', description = 'Shad' where id = $1`,
      [first.id],
    )

    expect(await sql.rows('select submission_id, email from public.gallery_contacts')).toEqual([
      { submission_id: first.id, email: 'right@example.com' },
    ])
    expect(second.id).not.toBe(first.id)
  })

  test.for([
    ['approved already', { status: 'approved' }, { code: '42501' }],
    ['without a picture', { image_urls: [] }, { constraint: 'impossible_number_of_images' }],
    [
      'with a script for a picture',
      { image_urls: ['/a.jpg', 'javascript:x'], image_url: '/a.jpg' },
      { constraint: 'malformed_image_urls' },
    ],
    ['whose first picture is another', { image_url: '/b.jpg' }, { constraint: 'image_url_not_the_first' }],
    ['without a description', { description: ' ' }, { constraint: 'malformed_description' }],
    ['from nobody', { customer_name: '' }, { constraint: 'malformed_customer_name' }],
  ] as const)('%s is refused', async ([, changes, refusal], { sql }) => {
    await sql.as('anon')

    expect(await sql.refusal(GALLERY, photo(changes))).toMatchObject(refusal)
  })
})
