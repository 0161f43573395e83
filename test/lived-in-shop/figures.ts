import type { LivedInShop } from './shop.ts'
import { ISSUES, RESERVATIONS, RESOLUTIONS } from './renamed.ts'

/** Counts and sums by name, as text, which no upgrade may change. */
export type Figures = Record<string, Record<string, string>>

/** Queries that return names and figures. The figures keep their names when tables are renamed. */
const FIGURES: Record<string, string> = {
  orders: 'select status, count(*) from public.orders group by 1',
  orderTotals: 'select status, sum(total_amount) from public.orders group by 1',
  orderLines: `select 'all', sum(price * quantity) from public.order_items`,
  events: 'select kind, count(*) from public.order_events group by 1',
  money: `select way || ' ' || outcome, sum(amount_gross) from public.payments group by 1`,
  heldMoney: `select 'all', sum(amount_gross - given_back - on_its_way) from public.payment_balances`,
  refunds: `select way || ' ' || state, sum(amount) from public.refunds group by 1`,
  refundTasks: `select coalesce(ended_as, case when is_open then 'open' else 'settled' end), sum(outstanding) from public.refund_tasks group by 1`,
  notices: `select coalesce(outcome, 'undecided'), count(*) from public.payment_notices n left join public.payment_notice_outcomes o on o.notice_id = n.id group by 1`,
  issues: `select kind, count(*) from ${ISSUES} group by 1`,
  resolutions: `select 'all', count(*) from ${RESOLUTIONS}`,
  reservations: `select 'all', sum(quantity) from ${RESERVATIONS}`,
  stock: `select p.name || ', ' || v.name, sum(v.stock_quantity) from public.product_variants v join public.products p on p.id = v.product_id group by 1`,
  stockMovements: 'select reason, sum(quantity) from public.stock_movements group by 1',
  products: 'select status, count(*) from public.products group by 1',
  promoCodes: 'select code, times_used from public.promo_codes',
  salesDays: 'select day::text, sum(revenue) from private.sales_days group by 1',
  consents: `select source || ' ' || is_given, count(*) from public.marketing_consents group by 1`,
  subscribers: 'select consent, count(*) from public.subscribers group by 1',
  mails: `select template || ' ' || status, count(*) from public.mails group by 1`,
  messages: 'select state, count(*) from public.messages group by 1',
  photos: 'select status, count(*) from public.gallery_submissions group by 1',
  history: `select verb, count(*) from public.changes group by 1`,
  people: `select 'accounts', count(*) from auth.users union all select 'profiles', count(*) from public.profiles
    union all select 'verified', count(*) from auth.mailbox_proofs union all select 'factors', count(*) from auth.mfa_factors`,
  roles: 'select role, count(*) from public.user_roles group by 1',
  sessions: 'select aal, count(*) from auth.sessions group by 1',
  files: 'select bucket_id, count(*) from storage.objects group by 1',
  jobs: 'select task_identifier, count(*) from graphile_worker.jobs group by 1',
}

export async function readFigures({ sql }: Pick<LivedInShop, 'sql'>): Promise<Figures> {
  const parts = await Promise.all(
    Object.entries(FIGURES).map(async ([name, query]) => {
      const rows = await sql<{ label: string; figure: string }>(
        `select label, figure::text from (${query}) as found (label, figure) order by label`,
      )
      return [name, Object.fromEntries(rows.map(({ label, figure }) => [label, figure]))] as const
    }),
  )
  return Object.fromEntries(parts)
}
