/** Whether this is the long run (`npm run test:long`). */
export const isLongRun = process.env.TEST_RUN === 'long'

/** The long run tries this many times as many cases as the gate; a test whose cases are slow passes a smaller factor. */
const LONG_RUN_FACTOR = 20

/** The long run's counts end after this time: a slow machine tries fewer cases, where it would otherwise fail at a time limit. */
const LONG_TEST_MS = 240_000

interface Runs {
  numRuns: number
  seed?: number
  interruptAfterTimeLimit?: number
}

/**
 * How many cases fast-check tries: `usual` in the gate, `factor` times as many in the long run. PROPERTY_RUNS overrides the count;
 * PROPERTY_SEED repeats a run whose seed a failure printed.
 */
export function runs(usual: number, factor = LONG_RUN_FACTOR): Runs {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
  return {
    numRuns: Number(PROPERTY_RUNS ?? (isLongRun ? usual * factor : usual)),
    ...(PROPERTY_SEED ? { seed: Number(PROPERTY_SEED) } : {}),
    ...(isLongRun ? { interruptAfterTimeLimit: LONG_TEST_MS } : {}),
  }
}

/** Random numbers from 0 to below 1 that PROPERTY_SEED repeats; a failing test prints `seed`. */
export function seededRandom(seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)): {
  seed: number
  random: () => number
} {
  let state = seed
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, random }
}

/**
 * Yields `count` moments from 0 to below 1. Already the first few are spread over the whole range, because the long run ends early on a slow
 * machine.
 */
export function* moments(count: number, random: () => number): Generator<number> {
  const started = performance.now()
  const first = random()
  for (let at = 0; at < count; at += 1) {
    if (isLongRun && performance.now() - started > LONG_TEST_MS) return
    yield (first + at * GOLDEN_SECTION) % 1
  }
}

/** Multiples of it, modulo 1, keep apart from each other. */
const GOLDEN_SECTION = 0.618033988749895

/** A count that the environment variable `name` overrides: `gate` in the gate, `long` in the long run. */
export function countFor(name: string, { gate, long }: { gate: number; long: number }): number {
  return Number(process.env[name] ?? (isLongRun ? long : gate))
}
