/** How many requests hardware serves, from the processor time that a request costs each program. */
import type { SetupProgram } from './setups.ts'

/** Processor time of one request in milliseconds. */
export type Cost = Partial<Record<SetupProgram, number>>

export interface Hardware {
  /** Cores that all programs share, or cores of each program. A program that is missing belongs to a provider. */
  cores: number | Partial<Record<SetupProgram, number>>
}

interface Capacity {
  perSecond: number
  /** The program that has no processor time left first; of programs that share cores, the one that uses most. */
  bottleneck: SetupProgram
}

export interface Batch {
  count: number
  /** Processor seconds of all requests. */
  cost: Cost
}

/** Returns the processor seconds of a larger batch, by a straight line with the least squares through smaller ones for each program. */
export function predict(batches: Batch[], count: number): number {
  const programs = [...new Set(batches.flatMap(({ cost }) => entriesOf(cost).map(([program]) => program)))]
  return sum(
    programs.map((program) => {
      const { slope, start } = fit(batches.map((batch) => [batch.count, batch.cost[program] ?? 0]))
      return start + slope * count
    }),
  )
}

function fit(points: [x: number, y: number][]): { slope: number; start: number } {
  const x = sum(points.map(([each]) => each)) / points.length
  const y = sum(points.map(([, each]) => each)) / points.length
  const slope = sum(points.map(([px, py]) => (px - x) * (py - y))) / sum(points.map(([px]) => (px - x) ** 2))
  return { slope, start: y - slope * x }
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Queues grow long before the last core is busy. */
const USABLE = 0.8

export function capacityOf(cost: Cost, { cores }: Hardware): Capacity {
  const programs = entriesOf(cost).filter(([, milliseconds]) => milliseconds > 0)
  if (typeof cores === 'number') {
    const all = sum(programs.map(([, milliseconds]) => milliseconds))
    const [most] = programs.toSorted(([, one], [, other]) => other - one)
    return { perSecond: (USABLE * cores * 1000) / all, bottleneck: most?.[0] ?? 'shop' }
  }
  const limits = programs.flatMap(([program, milliseconds]) => {
    const own = cores[program]
    return own === undefined ? [] : [{ perSecond: (USABLE * own * 1000) / milliseconds, bottleneck: program }]
  })
  const [first] = limits.toSorted((one, other) => one.perSecond - other.perSecond)
  return first ?? { perSecond: Infinity, bottleneck: 'shop' }
}

export function entriesOf<T>(record: Partial<Record<SetupProgram, T>>): [SetupProgram, T][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record
  return Object.entries(record) as [SetupProgram, T][]
}
