import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { Concern } from './concern.ts'

interface Fact {
  label: string
  value: string
}

/** The figures behind a concern, as the ledger noted them. */
export function concernFacts({ amount_gross, pf_payment_id, detail }: Concern): Fact[] {
  const facts: (Fact | null)[] = [
    amount('Came', amount_gross ?? detail.amount_gross),
    amount('Asked for', detail.amount_asked),
    amount('The order costs', detail.order_total),
    amount('In PayFast’s history', amount_gross === null ? detail.amount : null),
    amount('We recorded', detail.recorded),
    text('PayFast’s number', pf_payment_id ?? detail.pf_payment_id),
    text('PayFast said', detail.words),
  ]
  return facts.filter((fact) => fact !== null)
}

function amount(label: string, value: unknown): Fact | null {
  return typeof value === 'number' ? { label, value: formatTotal(centsFromRand(value)) } : null
}

function text(label: string, value: unknown): Fact | null {
  return typeof value === 'string' && value !== '' ? { label, value } : null
}
