import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns, Tables } from '#database'
import { LEDGER_REFETCH_MS } from '../order-money.ts'

const NOTICE = `id, m_payment_id, source_address, received_at,
  payment_notice_checks(check_name, result, detail, checked_at),
  payment_notice_outcomes(outcome, decided_at),
  payments(*, payment_acceptances(accepted_by, created_at))`

export type PaymentRecord = Awaited<ReturnType<typeof loadPaymentRecord>>

/** One departure of the buyer to the payment page. */
export type Attempt = PaymentRecord['attempts'][number]

/** A request to the notice endpoint, with its checks and its outcome, which is null while it is being checked. */
export type PaymentNotice = PaymentRecord['notices'][number]

export type NoticeCheck = PaymentNotice['payment_notice_checks'][number]

export type Payment = PaymentNotice['payments'][number]

export type Refund = Tables<'refunds'>

/** A payment by hand that was recorded by mistake. It has no balance. */
export type WithdrawnPayment = PaymentRecord['withdrawals'][number]

/**
 * A payment with its refunds, in rand. `refund_way` applies to a refund made now. `pays_order` is false for a duplicate or a wrong
 * amount, which took no stock.
 */
export type Balance = Tables<'payment_balances'>

export function usePaymentRecord(orderId: string) {
  return useQuery({
    queryKey: ['order-money', 'record', orderId],
    queryFn: () => loadPaymentRecord(orderId),
    refetchInterval: LEDGER_REFETCH_MS,
  })
}

async function loadPaymentRecord(orderId: string) {
  const attempts = await queryBackend((backend) =>
    backend
      .from('payment_attempts')
      .select('id, m_payment_id, merchant_id, amount, created_at')
      .eq('order_id', orderId)
      .order('created_at'),
  )
  const attemptNames = attempts.map(({ m_payment_id }) => m_payment_id)
  const [notices, balances, refunds, withdrawals] = await Promise.all([
    queryBackend((backend) =>
      backend.from('payment_notices').select(NOTICE).in('m_payment_id', attemptNames).order('received_at'),
    ),
    loadBalances(orderId),
    queryBackend((backend) =>
      backend.from('refunds').select('*').eq('order_id', orderId).order('created_at'),
    ),
    queryBackend((backend) =>
      backend
        .from('payment_withdrawals')
        .select('payment_id, reason, created_at, payments(way, reference, amount_gross)')
        .eq('order_id', orderId)
        .order('created_at'),
    ),
  ])
  return { attempts, notices, balances, refunds, withdrawals }
}

export function useBalance(paymentId: string) {
  return useBackendQuery(['order-money', 'balance', paymentId], (backend) =>
    backend.from('payment_balances').select('*').eq('payment_id', paymentId).single(),
  )
}

/** Oldest first. */
export function useBalancesOfOrder(orderId: string) {
  return useQuery({
    queryKey: ['order-money', 'balances', orderId],
    queryFn: () => loadBalances(orderId),
  })
}

function loadBalances(orderId: string): Promise<Balance[]> {
  return queryBackend((backend) =>
    backend.from('payment_balances').select('*').eq('order_id', orderId).order('received_at'),
  )
}

/** `returnable` is the quantity that a refund can still take off the line. */
export type ReturnableItem = Returns<'returnable_items'>[number]

export function useReturnableItems(orderId: string) {
  return useBackendQuery(['order-money', 'returnable', orderId], (backend) =>
    backend.rpc('returnable_items', { order_id: orderId }),
  )
}

/** Resolves to the number of bodies that the order has taken from stock and not returned. */
export function useStockTaken(orderId: string) {
  return useBackendQuery(
    ['order-money', 'stock-taken', orderId],
    (backend) => backend.from('stock_movements').select('quantity').eq('order_id', orderId),
    { select: (movements) => movements.reduce((taken, { quantity }) => taken - quantity, 0) },
  )
}

/** The notice's original headers and body, as evidence. */
export function useRawNotice(id: string, { isEnabled }: { isEnabled: boolean }) {
  return useBackendQuery(
    ['raw-notice', id],
    (backend) => backend.from('payment_notices').select('raw_body, headers').eq('id', id).single(),
    { enabled: isEnabled, staleTime: Infinity },
  )
}
