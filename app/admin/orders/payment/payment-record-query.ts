import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Returns, Tables } from '#database'

/** One departure of the buyer to the payment page. */
export type Attempt = Pick<
  Tables<'payment_attempts'>,
  'id' | 'm_payment_id' | 'merchant_id' | 'amount' | 'created_at'
>

export type NoticeCheck = Pick<
  Tables<'payment_notice_checks'>,
  'check_name' | 'result' | 'detail' | 'checked_at'
>

export type Refund = Tables<'refunds'>

export type RefundState = Refund['state']

/**
 * A payment with its refunds, in rand. `refund_way` applies to a refund made now. `pays_order` is false for a duplicate or a wrong
 * amount, which took no stock.
 */
export type Balance = Tables<'payment_balances'>

export type Payment = Tables<'payments'> & {
  payment_acceptances: Pick<Tables<'payment_acceptances'>, 'accepted_by' | 'created_at'> | null
}

/** A request to the notice endpoint, with its checks and its outcome. */
export type PaymentNotice = Pick<
  Tables<'payment_notices'>,
  'id' | 'm_payment_id' | 'source_address' | 'received_at'
> & {
  payment_notice_checks: NoticeCheck[]
  /** Null while it is being checked. */
  payment_notice_outcomes: Pick<Tables<'payment_notice_outcomes'>, 'outcome' | 'decided_at'> | null
  payments: Payment[]
}

/** A payment by EFT or cash that an admin recorded. */
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
    queryKey: ['order-money', 'record', orderId],
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

export function useBalance(paymentId: string) {
  return useQuery({
    queryKey: ['order-money', 'balance', paymentId],
    queryFn: () =>
      queryBackend((backend) =>
        backend.from('payment_balances').select('*').eq('payment_id', paymentId).single(),
      ),
  })
}

/** Oldest first. */
export function useBalancesOfOrder(orderId: string) {
  return useQuery({ queryKey: ['order-money', 'balances', orderId], queryFn: () => loadBalances(orderId) })
}

function loadBalances(orderId: string): Promise<Balance[]> {
  return queryBackend((backend) =>
    backend.from('payment_balances').select('*').eq('order_id', orderId).order('received_at'),
  )
}

/** `returnable` is the quantity that a refund can still put back in stock. */
export type ReturnableItem = Returns<'returnable_items'>[number]

export function useReturnableItems(orderId: string) {
  return useQuery({
    queryKey: ['order-money', 'returnable', orderId],
    queryFn: () => queryBackend((backend) => backend.rpc('returnable_items', { order_id: orderId })),
  })
}

/** The notice's original headers and body, as evidence. */
export function useRawNotice(id: string, { isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    queryKey: ['raw-notice', id],
    enabled: isEnabled,
    staleTime: Infinity,
    queryFn: () =>
      queryBackend((backend) =>
        backend.from('payment_notices').select('raw_body, headers').eq('id', id).single(),
      ),
  })
}
