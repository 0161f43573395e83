/**
 * PayFast's transaction history is a CSV, plain or inside a JSON response. Columns are found by name, because their order and
 * number differ between accounts.
 */
import { z } from 'zod'

import { parseRand, randText } from '#domain/money.ts'

export interface ReceivedMoney {
  pf_payment_id: string
  m_payment_id: string
  gross: string
}

const wrapped = z.union([
  z.object({ response: z.string() }).transform(({ response }) => response),
  z.object({ data: z.object({ response: z.string() }) }).transform(({ data }) => data.response),
])

/** Returns received payments only; skips fees, payouts and refunds. */
export function readHistory(answer: string): ReceivedMoney[] {
  const csv = answer.trimStart().startsWith('{') ? wrapped.parse(JSON.parse(answer)) : answer
  const [header = [], ...rows] = parseCsv(csv)
  const columns = new Map(header.map((name, index) => [name.toLowerCase(), index]))
  for (const needed of ['type', 'gross', 'm payment id', 'pf payment id']) {
    if (!columns.has(needed)) throw new Error(`PayFast's history has no column "${needed}"`)
  }
  const cell = (row: string[], name: string) => row[columns.get(name) ?? -1]?.trim() ?? ''

  return rows
    .filter((row) => /^funds[ _]received$/i.test(cell(row, 'type')))
    .map((row) => ({
      pf_payment_id: cell(row, 'pf payment id'),
      m_payment_id: cell(row, 'm payment id'),
      gross: amountIn(cell(row, 'gross')),
    }))
}

function amountIn(text: string): string {
  const cents = /^\d+(\.\d{1,2})?$/.test(text) ? parseRand(text) : null
  if (cents === null) throw new Error(`PayFast's history has an invalid amount: "${text}"`)
  return randText(cents)
}

/** Quoted cells may contain commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    if (row.some((cell) => cell !== '')) rows.push(row)
    row = []
  }
  return rows
}
