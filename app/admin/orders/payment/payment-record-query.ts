import { useQuery } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'

/** A buyer left for the payment page. */
export interface Attempt {
  id: string
  m_payment_id: string
  merchant_id: string
  amount: number
  created_at: string
}

export interface NoticeCheck {
  check_name: 'signature' | 'merchant' | 'source' | 'confirmation' | 'attempt' | 'amount'
  result: 'passed' | 'failed' | 'unknown'
  detail: string | null
  checked_at: string
}

export type RefundState = 'requested' | 'sent' | 'unknown' | 'failed' | 'done' | 'withdrawn'

/** A row of the view `refunds`: what was asked for, and how far it is. */
export interface Refund {
  id: string
  payment_id: string
  amount: number
  reason: string
  restocked: boolean
  way: 'payfast' | 'by_hand'
  recorded_by: string
  created_at: string
  state: RefundState
  /** `words` are PayFast's, `note` an admin's. */
  detail: { words?: string; note?: string }
  state_since: string
}

/** A row of the view `payment_balances`, in rand. */
export interface Balance {
  payment_id: string
  /** None where the money came by hand. */
  pf_payment_id: string | null
  amount_gross: number
  given_back: number
  on_its_way: number
  refundable: number
  /** How a refund made now would go back. */
  refund_way: 'payfast' | 'by_hand'
  /** It made its order paid; false for a duplicate or a wrong amount, which took no stock. */
  pays_order: boolean
  way: 'payfast' | 'eft' | 'cash'
  reference: string | null
  received_at: string
}

/** Money that PayFast confirmed. */
export interface Payment {
  id: string
  pf_payment_id: string
  amount_gross: number
  amount_fee: number | null
  amount_net: number | null
  outcome: string
  created_at: string
  payment_acceptances: { accepted_by: string; created_at: string } | null
}

/** Something that was posted to the notice address, with what was found out about it. */
export interface Notice {
  id: string
  m_payment_id: string | null
  source_address: string | null
  received_at: string
  payment_notice_checks: NoticeCheck[]
  /** Absent while it is still being checked. */
  payment_notice_outcomes: { outcome: string; decided_at: string } | null
  payments: Payment[]
}

/** Money that came past PayFast, as the brother who took it wrote it down. */
export interface PaymentByHand {
  id: string
  way: 'eft' | 'cash'
  reference: string | null
  amount_gross: number
  created_at: string
}

export interface PaymentRecord {
  attempts: Attempt[]
  byHand: PaymentByHand[]
  notices: Notice[]
  balances: Balance[]
  refunds: Refund[]
}

const NOTICE = [
  'id, m_payment_id, source_address, received_at',
  'payment_notice_checks(check_name, result, detail, checked_at)',
  'payment_notice_outcomes(outcome, decided_at)',
  'payments(*, payment_acceptances(accepted_by, created_at))',
].join(', ')

export function usePaymentRecord(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'payment-record', orderId],
    queryFn: () => loadPaymentRecord(orderId),
  })
}

async function loadPaymentRecord(orderId: string): Promise<PaymentRecord> {
  const attempts = await askBackend<Attempt[]>((backend) =>
    backend.from('payment_attempts').select('*').eq('order_id', orderId).order('created_at'),
  )
  const [notices, byHand, balances, refunds] = await Promise.all([
    loadNotices(attempts.map(({ m_payment_id }) => m_payment_id)),
    askBackend<PaymentByHand[]>((backend) =>
      backend
        .from('payments')
        .select('id, way, reference, amount_gross, created_at')
        .eq('order_id', orderId)
        .neq('way', 'payfast'),
    ),
    loadBalances(orderId),
    askBackend<Refund[]>((backend) =>
      backend.from('refunds').select('*').eq('order_id', orderId).order('created_at'),
    ),
  ])
  return { attempts, byHand, notices, balances, refunds }
}

async function loadNotices(attemptNames: string[]): Promise<Notice[]> {
  if (attemptNames.length === 0) return []
  return askBackend((backend) =>
    backend
      .from('payment_notices')
      .select(NOTICE)
      .in('m_payment_id', attemptNames)
      .order('received_at')
      .overrideTypes<Notice[], { merge: false }>(),
  )
}

/** What one payment brought and what could still go back. */
export function useBalance(paymentId: string) {
  return useQuery({
    queryKey: ['orders', 'balance', paymentId],
    queryFn: () =>
      askBackend<Balance>((backend) =>
        backend.from('payment_balances').select('*').eq('payment_id', paymentId).single(),
      ),
  })
}

/** What each payment of an order brought, oldest first. */
export function useBalancesOfOrder(orderId: string) {
  return useQuery({ queryKey: ['orders', 'balances', orderId], queryFn: () => loadBalances(orderId) })
}

function loadBalances(orderId: string): Promise<Balance[]> {
  return askBackend<Balance[]>((backend) =>
    backend.from('payment_balances').select('*').eq('order_id', orderId).order('received_at'),
  )
}

/** A line of an order, with how many of it a refund can still put back in stock. */
export interface ReturnableItem {
  order_item_id: string
  product_name: string
  product_variant: string | null
  with_hooks: boolean | null
  quantity: number
  returnable: number
}

export function useReturnableItems(orderId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['orders', 'returnable', orderId],
    enabled: isWanted,
    queryFn: () =>
      askBackend<ReturnableItem[]>((backend) => backend.rpc('returnable_items', { order_id: orderId })),
  })
}

export interface RawNotice {
  raw_body: string
  headers: Record<string, string>
}

/** Only when somebody asks: it is evidence, not reading matter. */
export function useRawNotice(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['raw-notice', id],
    enabled: isWanted,
    staleTime: Infinity,
    queryFn: () =>
      askBackend<RawNotice>((backend) =>
        backend.from('payment_notices').select('raw_body, headers').eq('id', id).single(),
      ),
  })
}
