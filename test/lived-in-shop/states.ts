import type { LivedInShop } from './shop.ts'
import { ISSUES, RESERVATIONS, RESOLUTIONS, REVIEWS } from './renamed.ts'

/** Every state that an upgrade may find, with a query for its rows. A shop without one of them does not test the upgrade fully. */
const STATES: Record<string, string> = {
  ...each(
    'an order that is',
    ['pending_payment', 'new', 'processing', 'delivered', 'cancelled'],
    (status) => `public.orders where status = '${status}'`,
  ),
  'a draft': `public.orders o where status = 'pending_payment' and not exists (select from public.order_items i where i.order_id = o.id)`,
  'a shipped order with tracking': `public.orders where status = 'shipped' and tracking_number <> '' and courier_company_id is not null`,
  'an order whose stock is reserved': `${RESERVATIONS} where expires_at > now()`,
  'an expired order': `public.orders where status = 'cancelled' and paid_at is null and cancellation_reason = 'expired'`,
  'a reinstated order': `public.orders o join public.refund_tasks t on t.order_id = o.id where o.status = 'new' and t.ended_as = 'withdrawn'`,
  'an order of a closed account': `public.orders where customer_id is null and paid_at is not null and customer_email is not null`,
  'a hand-over': `public.orders where shipping_method = 'hand-over' and status = 'delivered'`,
  'an order with a discount': `public.orders where discount_amount > 0 and promo_code is not null`,
  'an order for a locker': `public.orders where shipping_method = 'locker'`,
  'an unpaid manual order': `public.orders where customer_email = 'elna@example.com' and status = 'pending_payment'`,
  'an open refund task': 'public.refund_tasks where is_open',
  'a dismissed refund task': `public.refund_tasks where ended_as = 'dismissed'`,
  'a settled refund task': 'public.refund_tasks where not is_open and ended_as is null and outstanding = 0',
  ...each('a payment by', ['payfast', 'eft', 'cash'], (way) => `public.payments where way = '${way}'`),
  ...each(
    'a payment that is',
    ['paid', 'reinstated', 'paid_twice', 'wrong_amount', 'sold_out'],
    (outcome) => `public.payments where outcome = '${outcome}'`,
  ),
  'an accepted short payment': 'public.payment_acceptances where shortfall > 0',
  'an accepted late payment': 'public.payment_acceptances where coalesce(shortfall, 0) = 0',
  'a paid top-up': `public.payment_attempts a join public.payments p using (m_payment_id) where a.top_up_id is not null`,
  'an open top-up': `public.payment_top_ups t where not exists (select from public.payment_attempts a where a.top_up_id = t.id)`,
  ...each(
    'a notice that is',
    ['bad_signature', 'denied', 'wrong_merchant', 'repeated', 'not_a_payment'],
    (outcome) => `public.payment_notice_outcomes where outcome = '${outcome}'`,
  ),
  'an undecided notice': `public.payment_notices n where not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)`,
  'an open payment issue': `${ISSUES} i where not exists (select from ${RESOLUTIONS} r where to_jsonb(r) ->> 'note' is not null and i.id::text in (select jsonb_each_text.value from jsonb_each_text(to_jsonb(r))))`,
  'a resolved payment issue': RESOLUTIONS,
  ...each(
    'a refund that is',
    ['requested', 'unknown', 'failed', 'withdrawn'],
    (state) => `public.refunds where state = '${state}'`,
  ),
  ...each(
    'a refund done',
    ['payfast', 'by_hand'],
    (way) => `public.refunds where state = 'done' and way = '${way}'`,
  ),
  'a refund with returned items': 'public.payment_refund_items',
  ...each(
    'a photo that is',
    ['pending', 'approved', 'declined'],
    (status) => `public.gallery_submissions where status = '${status}'`,
  ),
  'a review of a photo': REVIEWS,
  ...each('a message that is', ['open', 'done'], (state) => `public.messages where state = '${state}'`),
  'a reply': 'public.contact_replies',
  ...each(
    'a subscriber who is',
    ['pending', 'agreed', 'unsubscribed'],
    (consent) => `public.subscribers where consent = '${consent}'`,
  ),
  'a consent': 'public.marketing_consents where is_given',
  'a stock alert that waits': 'public.stock_alerts where mailed_at is null and withdrawn_at is null',
  'a stock alert that was sent': 'public.stock_alerts where mailed_at is not null',
  'a stock alert that was cancelled': 'public.stock_alerts where withdrawn_at is not null',
  ...each(
    'a mail that is',
    ['queued', 'sent', 'failed'],
    (status) => `public.mails where status = '${status}'`,
  ),
  ...each(
    'a job',
    ['send_mail', 'check_notice', 'send_refund'],
    (task) => `graphile_worker.jobs where task_identifier = '${task}'`,
  ),
  'a job of the clock': 'graphile_worker._private_known_crontabs',
  'a cart': 'public.cart_items',
  'a former address': 'private.former_product_slugs',
  ...each(
    'a product that is',
    ['draft', 'live', 'hidden'],
    (status) => `public.products where status = '${status}'`,
  ),
  'a scheduled product': 'public.products where publish_at > now()',
  'a product made to order': 'public.products where made_to_order',
  ...each(
    'stock that was',
    ['counted', 'made', 'sold', 'returned', 'expo', 'lost'],
    (reason) => `public.stock_movements where reason = '${reason}'`,
  ),
  'an undone change': 'public.changes where undoes is not null',
  'a change whose person is forgotten': 'public.changes where forgotten_at is not null',
  'a used promo code': 'public.promo_redemptions where released_at is null',
  'a promo code that is free again': 'public.promo_redemptions where released_at is not null',
  ...each(
    'a member of staff who is',
    ['admin', 'packer'],
    (role) => `public.user_roles where role = '${role}'`,
  ),
  'a second factor': `auth.mfa_factors where status = 'verified'`,
  'a session with a second factor': `auth.sessions where aal = 'aal2'`,
  'a refresh token': 'auth.refresh_tokens where not revoked',
  'a verified mailbox': 'auth.mailbox_proofs',
  'an account without a verified mailbox':
    'auth.users u where not exists (select from auth.mailbox_proofs p where p.user_id = u.id)',
  'a saved view': 'public.saved_views',
  'a list setting': 'public.list_settings',
  'a client note': 'public.client_notes',
  'an order note': 'public.order_notes',
  'sales on more than one day': 'private.sales_days where day < current_date - 30',
  'a photo in storage': `storage.objects where bucket_id = 'gallery'`,
}

/** Throws an error with the names of all states that have no row. */
export async function requireStates({ sql }: LivedInShop): Promise<void> {
  const missing: string[] = []
  for (const [name, rows] of Object.entries(STATES)) {
    // oxlint-disable-next-line no-await-in-loop -- one connection is enough
    const [found] = await sql<{ is_there: boolean }>(`select exists (select from ${rows}) as is_there`).catch(
      (error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error })
      },
    )
    if (!found?.is_there) missing.push(name)
  }
  if (missing.length > 0) throw new Error(`the shop lacks: ${missing.join('; ')}`)
}

function each(name: string, values: string[], rows: (value: string) => string): Record<string, string> {
  return Object.fromEntries(values.map((value) => [`${name} ${value}`, rows(value)]))
}
