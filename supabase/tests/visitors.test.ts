import { describe, expect } from 'vitest'
import { MARKETING_WORDING as WORDING } from '#domain/marketing.ts'
import { aCustomer, anAdmin } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const CONTACT =
  'insert into public.contact_submissions (name, email, subject, message) values ($1, $2, $3, $4)'
const GALLERY = `insert into public.gallery_submissions (customer_name, email, description, image_url, image_urls, status)
  values ($1, $2, $3, $4, $5, $6) returning *`

function photo(changes: Record<string, unknown> = {}): unknown[] {
  const url = publicAddress('0-1700000000.jpg')
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

function publicAddress(name: string): string {
  return `/storage/v1/object/public/gallery/${name}`
}

/** Inserts the row that the storage service writes for an upload. */
async function upload(sql: TestTransaction, name: string, { as = 'anon' as const, bucket = 'gallery' } = {}) {
  await sql.as(as)
  await sql.rows(
    `insert into storage.objects (bucket_id, name, version, metadata) values ($1, $2, $2, '{}')`,
    [bucket, name],
  )
}

async function bucketOf(sql: TestTransaction, name: string) {
  await sql.asShop()
  return sql.value('select bucket_id from storage.objects where name = $1', [name])
}

async function galleryAs(sql: TestTransaction, who: 'anon' | { sub: string }) {
  await sql.as(who)
  return sql.rows('select * from public.gallery_submissions')
}

describe('visitor', () => {
  test('subscribes an e-mail address once in any spelling without revealing other addresses', async ({
    sql,
  }) => {
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

  // covers S5.10
  test('signs nobody up with consent from the popup', async ({ sql }) => {
    await sql.as('anon')

    expect(
      await sql.refusal(
        `insert into public.newsletter_signups (email, source, accepted_terms) values ('reader@example.com', 'popup', true)`,
      ),
    ).toMatchObject({ code: '42501' })
  })

  test('lets a footer subscriber claim the welcome code once', async ({ sql }) => {
    const subscribe = (source: string) =>
      sql.rows(`insert into public.newsletter_signups (email, source) values ('Lindiwe@example.com', $1)`, [
        source,
      ])
    await sql.as('anon')
    await subscribe('footer')

    await subscribe('popup')

    expect(
      await sql.refusal(`insert into public.newsletter_signups (email) values ('lindiwe@example.com')`),
    ).toMatchObject({ code: '23505', constraint: 'email_already_signed_up' })
    await sql.asShop()
    expect(
      await sql.rows(
        `select source, claimed_at is not null as has_claimed from public.newsletter_signups where email = 'lindiwe@example.com'`,
      ),
    ).toEqual([{ source: 'footer', has_claimed: true }])
  })

  test('rejects a footer sign-up with an address that has claimed the welcome code', async ({ sql }) => {
    await sql.as('anon')
    await sql.rows(`insert into public.newsletter_signups (email) values ('lindiwe@example.com')`)

    expect(
      await sql.refusal(
        `insert into public.newsletter_signups (email, source) values ('lindiwe@example.com', 'footer')`,
      ),
    ).toMatchObject({ code: '23505' })
  })

  test('limits each insert by a visitor to five rows', async ({ sql }) => {
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
  ])('rejects a newsletter sign-up with the address %j', async (email, { sql }) => {
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
    'rejects the contact message with the fields %s / %s / %s / %s',
    async ([name, email, subject, message, constraint], { sql }) => {
      await sql.as('anon')

      expect(await sql.refusal(CONTACT, [name, email, subject, message])).toMatchObject({ constraint })
    },
  )

  test('lets staff but not visitors read contact messages', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as('anon')
    await sql.rows(CONTACT, ['Sipho', 'sipho@example.com', 'Hooks', 'Which hooks do you use?'])
    expect(await sql.refusal('select * from public.contact_submissions')).toMatchObject({ code: '42501' })

    await sql.as(admin)
    expect(await sql.rows('select subject from public.contact_submissions')).toEqual([{ subject: 'Hooks' }])
  })
})

describe('gallery submission', () => {
  test('publishes an approved gallery photo without the sender’s e-mail address', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await upload(sql, '0-1700000000.jpg')
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

  test('stores a gallery sender’s corrected e-mail address outside the public table', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await upload(sql, '0-1700000000.jpg')
    await upload(sql, '1-1700000000.jpg')
    const first = await sql.row<{ id: string }>(GALLERY, photo())
    const other = publicAddress('1-1700000000.jpg')
    const second = await sql.row<{ id: string }>(
      GALLERY,
      photo({ email: null, image_url: other, image_urls: [other] }),
    )
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
    ['that is approved already', { status: 'approved' }, { code: '42501' }],
    ['without a picture', { image_urls: [] }, { reason: 'unknown_photo' }],
    [
      'whose first picture is not in its list',
      { image_url: publicAddress('b') },
      { reason: 'unknown_photo' },
    ],
    ['without a description', { description: ' ' }, { constraint: 'malformed_description' }],
    ['without a name', { customer_name: '' }, { constraint: 'malformed_customer_name' }],
  ] as const)('rejects a gallery submission %s', async ([, changes, refusal], { sql }) => {
    await upload(sql, '0-1700000000.jpg')

    expect(await sql.refusal(GALLERY, photo(changes))).toMatchObject(refusal)
  })

  test.for([
    'https://evil.example/fish.jpg',
    '/storage/v1/object/public/site/hero/poster.jpg',
    publicAddress('nobody-uploaded-this.jpg'),
    `${publicAddress('0-1700000000.jpg')}?as=another`,
    publicAddress('../site/0-1700000000.jpg'),
    'javascript:x',
  ])('rejects a gallery submission with the URL %s', async (url, { sql }) => {
    await upload(sql, '0-1700000000.jpg')
    const own = publicAddress('0-1700000000.jpg')

    for (const urls of [[url], [own, url]]) {
      expect(await sql.refusal(GALLERY, photo({ image_url: urls[0], image_urls: urls }))).toMatchObject({
        code: 'PT422',
        reason: 'unknown_photo',
      })
    }
  })

  test('stores a photo URL without the host and accepts each photo once', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    const own = publicAddress('0-1700000000.jpg')
    const absolute = `https://evil.example${own}`

    const sent = await sql.row(GALLERY, photo({ image_url: absolute, image_urls: [absolute] }))

    expect(sent).toMatchObject({ image_url: own, image_urls: [own] })
    expect(await sql.refusal(GALLERY, photo())).toMatchObject({ code: 'PT409', reason: 'photo_already_sent' })
  })

  test('calls a photo already sent after its submission was approved', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    await sql.as('anon')
    await sql.rows(GALLERY, photo())
    await sql.asShop()
    await sql.rows(`update public.gallery_submissions set status = 'approved'`)
    await sql.as('anon')

    expect(await sql.refusal(GALLERY, photo())).toMatchObject({ code: 'PT409', reason: 'photo_already_sent' })
  })

  // covers A4.11
  test('stores only approved photos in the public bucket', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    expect(await bucketOf(sql, '0-1700000000.jpg')).toBe('gallery-private')
    await sql.as('anon')
    await sql.rows(GALLERY, photo())

    for (const [status, bucket] of [
      ['approved', 'gallery'],
      ['declined', 'gallery-private'],
      ['approved', 'gallery'],
      ['pending', 'gallery-private'],
    ]) {
      await sql.asShop()
      await sql.rows('update public.gallery_submissions set status = $1', [status])
      expect(await bucketOf(sql, '0-1700000000.jpg')).toBe(bucket)
    }
  })

  test('leaves other waiting photos private when one is approved', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    await upload(sql, '1-1700000000.jpg')
    const other = publicAddress('1-1700000000.jpg')
    await sql.as('anon')
    const { id } = await sql.row<{ id: string }>(GALLERY, photo())
    await sql.rows(GALLERY, photo({ image_url: other, image_urls: [other] }))

    await sql.asShop()
    await sql.rows(`update public.gallery_submissions set status = 'approved' where id = $1`, [id])

    expect(await bucketOf(sql, '0-1700000000.jpg')).toBe('gallery')
    expect(await bucketOf(sql, '1-1700000000.jpg')).toBe('gallery-private')
  })

  test('sets a photo’s product from the colour and drops a colour of another product', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    await sql.as('anon')
    await sql.rows(GALLERY, photo())
    await sql.asShop()
    const colours = await sql.rows<{ id: string; product_id: string }>(
      'select distinct on (product_id) id, product_id from public.product_variants order by product_id',
    )
    const [one, other] = colours
    const name = (lure: object) =>
      sql.row(
        `update public.gallery_submissions set (product_id, variant_id) =
           (select product_id, variant_id from jsonb_to_record($1) as l(product_id uuid, variant_id uuid))
         returning product_id, variant_id`,
        [JSON.stringify(lure)],
      )

    expect(await name({ variant_id: one?.id })).toEqual({ product_id: one?.product_id, variant_id: one?.id })
    expect(await name({ product_id: other?.product_id, variant_id: one?.id })).toEqual({
      product_id: other?.product_id,
      variant_id: null,
    })
    await name({ variant_id: one?.id })
    await sql.rows('delete from public.products where id = $1', [one?.product_id])
    expect(await sql.row('select product_id, variant_id from public.gallery_submissions')).toEqual({
      product_id: null,
      variant_id: null,
    })
  })
})

describe('gallery file', () => {
  test.for(['../../etc/passwd', 'folder/1-1700000000.jpg', 'a b-170000000.jpg', '', '.hidden-17000000.jpg'])(
    'rejects a gallery upload named %j',
    async (name, { sql }) => {
      await sql.as('anon')

      expect(
        await sql.refusal(`insert into storage.objects (bucket_id, name) values ('gallery', $1)`, [name]),
      ).toMatchObject({ code: '42501' })
    },
  )

  test('lets staff but not the sender open an uploaded gallery file', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await upload(sql, '0-1700000000.jpg')

    expect(await sql.rows('select name from storage.objects')).toEqual([])
    expect(await sql.touched(`update storage.objects set bucket_id = 'gallery'`)).toBe(0)
    await sql.rows(`select set_config('storage.allow_delete_query', 'true', true)`)
    expect(await sql.touched('delete from storage.objects')).toBe(0)
    await sql.as(admin)
    expect(await sql.rows('select bucket_id, name from storage.objects')).toEqual([
      { bucket_id: 'gallery-private', name: '0-1700000000.jpg' },
    ])
  })

  test('lets no role replace a gallery file', async ({ sql }) => {
    await upload(sql, '0-1700000000.jpg')
    await sql.asShop()

    for (const [stored, bucket] of [
      ['gallery', 'gallery-private'],
      ['gallery-private', 'gallery'],
      ['gallery-private', 'gallery-private'],
    ]) {
      await sql.rows('update storage.objects set bucket_id = $1', [stored])
      expect(
        await sql.refusal(
          `insert into storage.objects (bucket_id, name, version) values ($1, '0-1700000000.jpg', 'other')
           on conflict (bucket_id, name) do update set version = excluded.version`,
          [bucket],
        ),
      ).toMatchObject({ code: '23505' })
    }
    expect(await sql.refusal(`update storage.objects set version = 'other'`)).toMatchObject({ code: '42501' })
    expect(await sql.refusal(`update storage.objects set name = '1-1700000000.jpg'`)).toMatchObject({
      code: '42501',
    })
  })
})

test.for(['catalogue', 'site', 'gallery-private'])(
  'does not let visitors list the files of the bucket %s',
  async (bucket, { sql }) => {
    await sql.rows(
      `insert into storage.objects (bucket_id, name, version) values ($1, 'somebodys.jpg', 'v')`,
      [bucket],
    )
    await sql.as('anon')

    expect(await sql.rows('select name from storage.objects')).toEqual([])
  },
)

describe('newsletter confirmation', () => {
  test('records one consent however often a newsletter confirmation is opened', async ({ sql }) => {
    const secret = await aRequest(sql)

    expect([await confirm(sql, secret), await confirm(sql, secret)]).toEqual([true, true])

    expect(await sql.rows('select is_given from public.marketing_consents')).toEqual([{ is_given: true }])
  })

  test('does not accept a newsletter confirmation after thirty days', async ({ sql }) => {
    const secret = await aRequest(sql)
    await sql.rows(`update private.newsletter_links set asked_at = now() - interval '30 days'`)

    expect(await confirm(sql, secret)).toBe(false)
  })

  test('does not accept the confirmation of an address that has unsubscribed since', async ({ sql }) => {
    const secret = await aRequest(sql)
    await sql.rows('select private.unsubscribe(id) from public.newsletter_signups')

    expect(await confirm(sql, secret)).toBe(false)
  })

  test('does not accept the confirmation of an account that has withdrawn since', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const consent = async (isGiven: boolean) => {
      await sql.as(customer)
      await sql.rows('select public.set_marketing_consent($1, $2)', [isGiven, WORDING])
      await sql.asShop()
    }
    await consent(true)
    const secret = await sql.value<string>(
      `select props ->> 'secret' from public.mails where template = 'newsletter-confirmation'`,
    )
    await consent(false)

    expect(await confirm(sql, secret)).toBe(false)
  })

  test('does not undo an unsubscription for an account with an unverified mailbox', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.rows(
      `insert into public.newsletter_signups (email, source, unsubscribed_at) values ($1, 'footer', now())`,
      [customer.email],
    )
    await sql.as(customer)

    await sql.rows('select public.set_marketing_consent(true, $1)', [WORDING])

    await sql.asShop()
    expect(await sql.rows('select from public.newsletter_signups where unsubscribed_at is null')).toEqual([])
  })

  test('requests a newsletter confirmation again only after ten minutes', async ({ sql }) => {
    await aRequest(sql)
    const mails = () =>
      sql.value(`select count(*)::int from public.mails where template = 'newsletter-confirmation'`)

    await sql.rows(`update private.newsletter_links set asked_at = now() - interval '9 minutes 59 seconds'`)
    await request(sql)
    expect(await mails()).toBe(1)
    await sql.rows(`update private.newsletter_links set asked_at = now() - interval '10 minutes'`)
    await request(sql)

    expect(await mails()).toBe(2)
  })

  test('sends an old subscriber who has answered no confirmation for a stranger', async ({ sql }) => {
    await aRequest(sql)
    await sql.rows(
      `insert into public.marketing_consents (email, is_given, source, wording) values ('reader@example.com', true, 'footer', $1)`,
      [WORDING],
    )
    await sql.rows(`update public.newsletter_signups set created_at = now() - interval '61 minutes'`)

    expect(
      await sql.value(`select private.welcome_subscriber('reader@example.com', null, false, true)`),
    ).toBe('unknown')
  })
})

function confirm(sql: TestTransaction, secret: string): Promise<boolean> {
  return sql.value<boolean>('select private.confirm_subscription($1)', [secret])
}

async function request(sql: TestTransaction): Promise<void> {
  await sql.rows('select private.request_newsletter_confirmation(s, null) from public.newsletter_signups s')
}

/** Signs an address up and returns the secret of its confirmation link. */
async function aRequest(sql: TestTransaction): Promise<string> {
  await sql.rows(
    `insert into public.newsletter_signups (email, source) values ('reader@example.com', 'footer')`,
  )
  await request(sql)
  return sql.value<string>(
    `select props ->> 'secret' from public.mails where template = 'newsletter-confirmation' and confidential`,
  )
}
