import type { NoticeCheck } from './payment-record-query.ts'

export type CheckResult = 'passed' | 'failed' | 'unknown' | 'not made'

export interface CheckSummary {
  name: string
  question: string
  result: CheckResult
  /** The note of the latest attempt, and the number of attempts if more than one. */
  detail: string | null
}

/** PayFast's four checks of a notice. The third combines three rows of the ledger. */
const CHECKS: { name: string; question: string; parts: NoticeCheck['check_name'][] }[] = [
  { name: 'Signature', question: 'Is it signed with our passphrase?', parts: ['signature'] },
  {
    name: 'Source',
    question: 'Does it come from one of PayFast’s addresses? This is evidence, not proof.',
    parts: ['source'],
  },
  {
    name: 'Merchant and amount',
    question: 'Does it name our account, our order and the exact amount?',
    parts: ['merchant', 'attempt', 'amount'],
  },
  {
    name: 'Confirmation',
    question: 'Does PayFast confirm that it sent this?',
    parts: ['confirmation'],
  },
]

export function summarizeChecks(made: NoticeCheck[]): CheckSummary[] {
  const newestFirst = made.toSorted((a, b) => b.checked_at.localeCompare(a.checked_at))
  return CHECKS.map(({ name, question, parts }) => {
    const latest = parts.flatMap((part) => newestFirst.find(({ check_name }) => check_name === part) ?? [])
    const attempts = made.filter(({ check_name }) => check_name === parts[0]).length
    return { name, question, result: combineResults(latest), detail: detailOf(latest, attempts) }
  })
}

function combineResults(checks: NoticeCheck[]): CheckResult {
  if (checks.length === 0) return 'not made'
  if (checks.some(({ result }) => result === 'failed')) return 'failed'
  return checks.some(({ result }) => result === 'unknown') ? 'unknown' : 'passed'
}

function detailOf(checks: NoticeCheck[], attempts: number): string | null {
  const notes = checks.flatMap(({ detail }) => detail ?? [])
  if (attempts > 1) notes.push(`${attempts} attempts`)
  return notes.join('; ') || null
}
