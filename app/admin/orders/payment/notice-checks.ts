import type { NoticeCheck } from './payment-record-query.ts'

export type CheckResult = 'passed' | 'failed' | 'unknown' | 'not made'

export interface CheckSummary {
  name: string
  /** What the check asks, for somebody who does not know PayFast's manual. */
  question: string
  result: CheckResult
  /** What was noted at the newest try, and how often it was asked when more than once. */
  detail: string | null
}

/** The four checks of a notice; the third is made of three rows of the ledger. */
const CHECKS: { name: string; question: string; parts: NoticeCheck['check_name'][] }[] = [
  { name: 'Signature', question: 'Is it signed with our passphrase?', parts: ['signature'] },
  {
    name: 'Source',
    question: 'Does it come from an address of PayFast? Evidence, never proof.',
    parts: ['source'],
  },
  {
    name: 'Merchant and amount',
    question: 'Is it our account, our order, and to the cent what it costs?',
    parts: ['merchant', 'attempt', 'amount'],
  },
  {
    name: 'Confirmation',
    question: 'Asked back, does PayFast say that it sent this?',
    parts: ['confirmation'],
  },
]

export function summarizeChecks(made: NoticeCheck[]): CheckSummary[] {
  const newestFirst = made.toSorted((a, b) => b.checked_at.localeCompare(a.checked_at))
  return CHECKS.map(({ name, question, parts }) => {
    const newest = parts.flatMap((part) => newestFirst.find(({ check_name }) => check_name === part) ?? [])
    const times = made.filter(({ check_name }) => check_name === parts[0]).length
    return { name, question, result: together(newest), detail: detailOf(newest, times) }
  })
}

function together(checks: NoticeCheck[]): CheckResult {
  if (checks.length === 0) return 'not made'
  if (checks.some(({ result }) => result === 'failed')) return 'failed'
  return checks.some(({ result }) => result === 'unknown') ? 'unknown' : 'passed'
}

function detailOf(checks: NoticeCheck[], times: number): string | null {
  const notes = checks.flatMap(({ detail }) => detail ?? [])
  if (times > 1) notes.push(`asked ${times} times`)
  return notes.join('; ') || null
}
