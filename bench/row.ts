/** One line of the table: what was asked, under what load, what came out, beside what. */
export interface Row {
  question: string
  load: string
  result: string
  /** The share of the limit it was measured beside, or the budget. */
  beside: string
  isReached: boolean
}

export function printRows(rows: Row[]): void {
  for (const { question, load, result, beside, isReached } of rows) {
    console.log(`${isReached ? '✓' : '✗'} ${question.padEnd(44)} ${load.padEnd(34)} ${result}   ${beside}`)
  }
}

/** For a bench that is run by itself. */
export async function runAlone(bench: () => Promise<Row[]>): Promise<void> {
  const rows = await bench()
  printRows(rows)
  process.exitCode = rows.every(({ isReached }) => isReached) ? 0 : 1
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function isRunByItself(url: string): boolean {
  return url.endsWith(process.argv[1] ?? '')
}
