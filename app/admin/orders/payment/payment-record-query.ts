import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/session/query-backend.ts'
import type { Returns, Tables } from '#database'

/** A buyer left for the payment page. */
export type Attempt = Pick<
  Tables<'payment_attempts'>,
  'id' | 'm_payment_id' | 'merchant_id' | 'amount' | 'created_at'
>

export type NoticeCheck = Pick<
  Tables<'payment_notice_checks'>,
  'check_name' | 'result' | 'detail' | 'checked_at'
>

/** What was asked for, and how far it is. */
export type Refund = Tables<'refunds'>

export type RefundState = Refund['state']

/**
 * In rand. `refund_way` is how a refund made now would go back. `pays_order` is false for a duplicate or a wrong amount,
 * which took no stock.
 */
export type Balance = Tables<'payment_balances'>

/** Money that PayFast confirmed. */
export type Payment = Tables<'payments'> & {
  payment_acceptances: Pick<Tables<'payment_acceptances'>, 'accepted_by' | 'created_at'> | null
}

/** Something that was posted to the notice address, with what was found out about it. */
export type PaymentNotice = Pick<
  Tables<'payment_notices'>,
  'id' | 'm_payment_id' | 'source_address' | 'received_at'
> & {
  payment_notice_checks: NoticeCheck[]
  /** Absent while it is still being checked. */
  payment_notice_outcomes: Pick<Tables<'payment_notice_outcomes'>, 'outcome' | 'decided_at'> | null
  payments: Payment[]
}

/** Money that came past PayFast, as an admin recorded it. */
export type PaymentByHand = Pick<
  Tables<'payments'>,
  'id' | 'way' | 'reference' | 'amount_gross' | 'created_at'
>

export interface PaymentRecord {
  attempts: Attempt[]
  byHand: PaymentByHand[]
  notices: PaymentNotice[]
  balances: Balance[]
  refunds: Refund[]
}

const NOTICE = `id, m_payment_id, source_address, received_at,
  payment_notice_checks(check_name, result, detail, checked_at),
  payment_notice_outcomes(outcome, decided_at),
  payments(*, payment_acceptances(accepted_by, created_at))`

export function usePaymentRecord(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'payment-record', orderId],
    queryFn: () => loadPaymentRecord(orderId),
  })
}

async function loadPaymentRecord(orderId: string): Promise<PaymentRecord> {
  const attempts = await queryBackend((backend) =>
    backend.from('payment_attempts').select('*').eq('order_id', orderId).order('created_at'),
  )
  const [notices, byHand, balances, refunds] = await Promise.all([
    loadNotices(attempts.map(({ m_payment_id }) => m_payment_id)),
    queryBackend((backend) =>
      backend
        .from('payments')
        .select('id, way, reference, amount_gross, created_at')
        .eq('order_id', orderId)
        .neq('way', 'payfast'),
    ),
    loadBalances(orderId),
    queryBackend((backend) =>
      backend.from('refunds').select('*').eq('order_id', orderId).order('created_at'),
    ),
  ])
  return { attempts, byHand, notices, balances, refunds }
}

async function loadNotices(attemptNames: string[]): Promise<PaymentNotice[]> {
  if (attemptNames.length === 0) return []
  return queryBackend((backend) =>
    backend.from('payment_notices').select(NOTICE).in('m_payment_id', attemptNames).order('received_at'),
  )
}

/** What one payment brought and what could still go back. */
export function useBalance(paymentId: string) {
  return useQuery({
    queryKey: ['orders', 'balance', paymentId],
    queryFn: () =>
      queryBackend((backend) =>
        backend.from('payment_balances').select('*').eq('payment_id', paymentId).single(),
      ),
  })
}

/** What each payment of an order brought, oldest first. */
export function useBalancesOfOrder(orderId: string) {
  return useQuery({ queryKey: ['orders', 'balances', orderId], queryFn: () => loadBalances(orderId) })
}

function loadBalances(orderId: string): Promise<Balance[]> {
  return queryBackend((backend) =>
    backend.from('payment_balances').select('*').eq('order_id', orderId).order('received_at'),
  )
}

/** A line of an order, with how many of it a refund can still put back in stock. */
export type ReturnableItem = Returns<'returnable_items'>[number]

export function useReturnableItems(orderId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['orders', 'returnable', orderId],
    enabled: isWanted,
    queryFn: () => queryBackend((backend) => backend.rpc('returnable_items', { order_id: orderId })),
  })
}

export type RawNotice = Pick<Tables<'payment_notices'>, 'raw_body' | 'headers'>

/** Only when somebody asks: it is evidence, not reading matter. */
export function useRawNotice(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['raw-notice', id],
    enabled: isWanted,
    staleTime: Infinity,
    queryFn: () =>
      queryBackend((backend) =>
        backend.from('payment_notices').select('raw_body, headers').eq('id', id).single(),
      ),
  })
}
