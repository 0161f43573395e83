/** One row of the result table. */
export interface BenchResult {
  question: string
  load: string
  result: string
  /** The share of the baseline, or the budget. */
  comparison: string
  isMet: boolean
}

export function printResults(rows: BenchResult[]): void {
  for (const { question, load, result, comparison, isMet } of rows) {
    console.log(`${isMet ? '✓' : '✗'} ${question.padEnd(44)} ${load.padEnd(34)} ${result}   ${comparison}`)
  }
}

/** Runs one benchmark, prints its results, and sets the exit code to 1 if a budget is exceeded. */
export async function runBench(bench: () => Promise<BenchResult[]>): Promise<void> {
  const rows = await bench()
  printResults(rows)
  process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function isMainModule(url: string): boolean {
  return url.endsWith(process.argv[1] ?? '')
}
