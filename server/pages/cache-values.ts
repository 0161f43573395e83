import type { Memoise } from '../context.ts'
import type { PageCache } from './page-cache.ts'

/** Caches values that pages derive from API reads, so that parsing and reshaping are not repeated for each page. */
export function cacheValues(cache: PageCache): Memoise {
  return async (name, make) => {
    const { value } = await cache.getOrMake(name, async () => entryOf(await make()))
    return value
  }
}

/** `null` has status 404 and is not cached, because visitors can ask for any number of names that do not exist. */
function entryOf<Value>(value: Value) {
  return { status: value === null ? 404 : 200, value, bytes: JSON.stringify(value).length * 2 }
}
