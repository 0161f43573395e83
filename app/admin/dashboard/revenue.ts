import { centsFromRand } from '#domain/money.ts'

/** What the revenue breakdown reads of an order. */
export interface Sale {
  id: string
  total_amount: number
  created_at: string
  status: string
  paid_at: string | null
}

export interface Revenue {
  totalCents: number
  paidOrders: number
  averageCents: number
  awaitingCents: number
}

/** Only money that came counts: paid, and not cancelled since. What is still awaited is said beside it. */
export function revenueOf(sales: Sale[]): Revenue {
  const paid = sales.filter(isEarned)
  const totalCents = sumCents(paid)
  return {
    totalCents,
    paidOrders: paid.length,
    averageCents: paid.length === 0 ? 0 : Math.round(totalCents / paid.length),
    awaitingCents: sumCents(sales.filter(({ status }) => status === 'pending_payment')),
  }
}

export function isEarned({ paid_at, status }: Sale): boolean {
  return paid_at !== null && status !== 'cancelled'
}

function sumCents(sales: Sale[]): number {
  return sales.reduce((sum, { total_amount }) => sum + centsFromRand(total_amount), 0)
}
