/** One row of the result table. */
export interface BenchResult {
  question: string
  load: string
  result: string
  /** The share of the baseline, or the budget. */
  comparison: string
  isMet: boolean
}

export function median(values: number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
