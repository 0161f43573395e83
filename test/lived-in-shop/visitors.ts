import type { SupabaseClient } from '@supabase/supabase-js'
import { CONFIRM_NEWS_PATH, UNSUBSCRIBE_PATH } from '#emails/outbox/mail-paths.ts'
import { uploadPhoto } from '#test/gallery-photo.ts'
import { unwrap, mapInOrder, findMailLink, nth, postForm, rpc } from './calls.ts'
import { product } from './goods.ts'
import type { LivedInShop } from './shop.ts'
import type { People } from './people.ts'
import { fillCart, paidOrder, cartLinesFor } from './purchases.ts'
import { REVIEW_OUTCOME, REVIEW_PHOTO } from './renamed.ts'

/** Creates photos, messages, sign-ups and stock alerts, and processes some. */
export async function createVisitorContent(shop: LivedInShop, people: People): Promise<void> {
  await createPhotos(shop, people)
  await answerMessages(shop, people)
  await createSubscribers(shop, people)
  await createStockAlerts(shop)
  await mapInOrder([55, 56, 57], (index) => fillCart(shop, nth(people.customers, index), cartLinesFor(index)))
}

async function createPhotos({ client, sql }: LivedInShop, { admin, packer }: People): Promise<void> {
  const visitor = client('105.2.0.1')
  const ids = await mapInOrder(['Garrick', 'Kob', 'Shad', 'Kingfish'], async (fish) => {
    const image_url = await uploadPhoto(visitor)
    const words = { customer_name: 'Sipho', email: 'sipho@example.com', description: `${fish} at dawn` }
    const photo = { ...words, image_url, image_urls: [image_url], status: 'pending' }
    await unwrap('photo', visitor.from('gallery_submissions').insert(photo))
    const newest = 'select id from public.gallery_submissions order by created_at desc limit 1'
    const [row] = await sql<{ id: string }>(newest)
    return row?.id
  })
  const review = ({ client: staff }: { client: SupabaseClient }, index: number, outcome: string) =>
    rpc(staff, REVIEW_PHOTO, {
      submission_id: ids[index],
      was: 'pending',
      [REVIEW_OUTCOME]: outcome,
      reason: outcome === 'declined' ? 'Too dark' : null,
    })
  await review(admin, 0, 'approved')
  await review(packer, 1, 'approved')
  await review(packer, 2, 'declined')
}

async function answerMessages(shop: LivedInShop, { admin }: People): Promise<void> {
  const visitor = shop.client('105.2.0.2')
  await mapInOrder(['Hooks', 'Colours', 'Delivery'], (subject) =>
    unwrap(
      'message',
      visitor.from('contact_submissions').insert({
        name: 'Lerato',
        email: 'lerato@example.com',
        subject,
        message: `A question about ${subject}.`,
      }),
    ),
  )
  const rows = await unwrap<{ id: string }[]>(
    'messages',
    admin.client.from('messages').select('id').order('created_at'),
  )
  await rpc(admin.client, 'answer_message', {
    submission_id: rows[0]?.id,
    subject: 'Re: Hooks',
    message: 'Trebles, size 1/0.',
  })
  await unwrap('done', admin.client.from('contact_answers').insert({ submission_id: rows[1]?.id }))
}

async function createSubscribers(shop: LivedInShop, { customers }: People): Promise<void> {
  const visitor = shop.client('105.2.0.3')
  const subscribe = async (email: string) => {
    await unwrap('news', visitor.from('newsletter_signups').insert({ email }))
    const body = { email, acceptedTerms: true, marketingOptIn: true }
    await unwrap('news mail', visitor.functions.invoke('send-newsletter-signup', { body }))
  }
  const confirmed = 'news-yes@example.com'
  const left = 'news-left@example.com'
  await mapInOrder(['news-pending@example.com', confirmed, left], subscribe)
  await shop.runJobs()
  await mapInOrder([confirmed, left], async (email) =>
    postForm(await findMailLink(shop, email, CONFIRM_NEWS_PATH), {}),
  )
  await shop.runJobs()
  await postForm(await findMailLink(shop, left, UNSUBSCRIBE_PATH), {})
  const consent = {
    is_given: true,
    wording: 'Yes, e-mail me news and offers. I can unsubscribe at any time.',
  }
  await mapInOrder([10, 11, 12], (index) =>
    rpc(nth(customers, index).client, 'set_marketing_consent', consent),
  )
}

/** Creates three alerts for one colour, of which one is cancelled, and one alert whose colour is restocked. */
async function createStockAlerts(shop: LivedInShop): Promise<void> {
  const visitor = shop.client('105.2.0.4')
  const { product_variants: variants } = await product(shop, 'Chisel Nose Popper 200mm/50G')
  const [still, back] = [variants.at(-1), variants.at(-2)]
  await shop.sql('update public.product_variants set stock_quantity = 0 where id = any ($1)', [
    [still?.id, back?.id],
  ])
  const wait = (variant: string | undefined, email: string) =>
    rpc(visitor, 'request_stock_alert', { variant, email })
  await mapInOrder(['a', 'b', 'c'], (who) => wait(still?.id, `waits-${who}@example.com`))
  await wait(back?.id, 'waits-d@example.com')
  const [alert] = await shop.sql<{ id: string }>(
    `select id from public.stock_alerts where email = 'waits-a@example.com'`,
  )
  await postForm(`${shop.settings.publicUrl}/mail/stock-alerts/${alert?.id}`, {})
  await shop.sql('update public.product_variants set stock_quantity = 9 where id = $1', [back?.id])
  await shop.sql(`select graphile_worker.add_job('queue_stock_alerts')`)
  await shop.runJobs()
}

/** Closes one account, erases one on request and merges two. */
export async function endAccounts(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const [closes, erased] = [nth(customers, 7), nth(customers, 8)]
  await paidOrder(shop, closes, { number: 1 })
  await unwrap('move', admin.client.from('profiles').update({ city: 'Ballito' }).eq('id', closes.userId))
  await rpc(closes.client, 'close_account')
  const { id: order_id } = await paidOrder(shop, erased, { number: 2 })
  const delivery = { shipping_address: '41 Beach Road' }
  await rpc(admin.client, 'change_delivery', {
    order_id,
    was: { shipping_address: '12 Beach Road' },
    delivery,
  })
  await unwrap(
    'client note',
    admin.client
      .from('client_notes')
      .insert({ client_id: nth(customers, 12).userId, body: 'Fishes at Mbotyi' }),
  )
  await rpc(admin.client, 'erase_client', { client_id: erased.userId })

  const [kept, merged] = [nth(customers, 13), nth(customers, 14)]
  await shop.sql('update auth.users set last_sign_in_at = null where id = $1', [merged.userId])
  await shop.sql(`update public.profiles set phone = '082 555 7777' where id in ($1, $2)`, [
    kept.userId,
    merged.userId,
  ])
  await rpc(admin.client, 'merge_clients', { kept_id: kept.userId, merged_id: merged.userId })
}

/** Saves views and list settings, and leaves a bounced mail and a pending one. */
export async function createListSettings(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  await unwrap(
    'view',
    admin.client
      .from('saved_views')
      .insert({ list: 'orders', name: 'Up north', address: '?province=Limpopo' }),
  )
  await unwrap('list', admin.client.from('list_settings').insert({ list: 'orders', density: 'compact' }))
  const unreachable = nth(customers, 58)
  shop.mailServer.unknown.add(unreachable.email)
  await paidOrder(shop, unreachable, { number: 1 })
  await shop.sql(
    `update public.mails set status = 'failed' where recipient = $1 and status = 'queued' and last_error <> ''`,
    [unreachable.email],
  )
  await shop.startClock()
}
