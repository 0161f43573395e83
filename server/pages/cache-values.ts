import type { Memoise } from '../context.ts'
import type { PageCache } from './page-cache.ts'

/** `null` has status 404 and is not cached, because visitors can ask for any number of names that do not exist. */
export interface CachedValue {
  status: 200 | 404
  value: unknown
  bytes: number
}

/** Caches values that pages derive from API reads, so that parsing and reshaping are not repeated for each page. */
export function cacheValues(cache: PageCache<CachedValue>): Memoise {
  return async <Value>(name: string, make: () => Promise<Value>) => {
    const { value } = await cache.getOrMake(name, async () => cachedValue(name, await make()))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `make` stores a value under this name
    return value as Value
  }
}

function cachedValue(name: string, value: unknown): CachedValue {
  return {
    status: value === null ? 404 : 200,
    value,
    bytes: (name.length + JSON.stringify(value).length) * 2,
  }
}
