import { readFileSync } from 'node:fs'

export const CLIENT_COUNT = 8
const WARM_UP_MS = 1_000
const MEASURED_MS = 2_500

export interface Measured {
  perSecond: number
  p50Ms: number
  /** CPU time of the serving process per request; independent of other load on the machine. */
  cpuMicroseconds: number
}

/** Measures clients that each send the next request after a response. `pid` is the process whose CPU time is measured. */
export async function measure(calls: (() => Promise<unknown>)[], pid: number): Promise<Measured> {
  const times: number[] = []
  const runAll = (milliseconds: number, note?: number[]) => {
    const until = performance.now() + milliseconds
    return Promise.all(calls.map((call) => query(call, until, note)))
  }
  await runAll(WARM_UP_MS)
  const cpuBefore = cpuSecondsOf(pid)
  await runAll(MEASURED_MS, times)
  return {
    perSecond: Math.round((times.length * 1000) / MEASURED_MS),
    p50Ms: median(times),
    cpuMicroseconds: ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / times.length,
  }
}

async function query(call: () => Promise<unknown>, until: number, note?: number[]): Promise<void> {
  let start = performance.now()
  while (start < until) {
    await call()
    const end = performance.now()
    note?.push(end - start)
    start = end
  }
}

export function medianOf(rounds: Measured[]): Measured {
  const of = (key: keyof Measured) => median(rounds.map((measured) => measured[key]))
  return { perSecond: of('perSecond'), p50Ms: of('p50Ms'), cpuMicroseconds: of('cpuMicroseconds') }
}

/** User and system time; the kernel counts hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
