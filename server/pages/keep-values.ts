import type { Keep } from '../context.ts'
import type { KeptUntilNews } from './kept-until-news.ts'

/** What somebody made of readings. Nothing is 404, and not kept: it goes by any number of names. */
export interface KeptValue {
  status: 200 | 404
  value: unknown
  bytes: number
}

/** Keeps what pages make of what they read, so that it is neither asked for nor gone through again for the next page. */
export function keepValues(kept: KeptUntilNews<KeptValue>): Keep {
  return async <Value>(name: string, make: () => Promise<Value>) => {
    const { value } = await kept.find(name, async () => keptValue(name, await make()))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- under this name only `make` has put anything
    return value as Value
  }
}

function keptValue(name: string, value: unknown): KeptValue {
  return {
    status: value === null ? 404 : 200,
    value,
    bytes: (name.length + JSON.stringify(value).length) * 2,
  }
}
