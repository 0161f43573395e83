/** Longer than any courier's number, and as long as the column takes. */
export const MAX_WAYBILL_LENGTH = 100

/** What couriers call the number in the addresses of their tracking pages. */
const ADDRESS_KEYS = [
  'ref',
  'waybill',
  'waybillno',
  'tracking',
  'trackingnumber',
  'tracking_number',
  'number',
]

const WAYBILL_PATTERN = /^(?=(?:.*\d){4})[a-z0-9][a-z0-9/-]{5,39}$/i

/**
 * The number in what was pasted or scanned: the text itself, the one in a tracking page's address, or the longest word with digits in it
 * of a courier's message. Null when nothing looks like one.
 */
export function findWaybill(text: string): string | null {
  const words = text.trim().split(/[\s,;:#]+/)
  if (URL.canParse(text.trim())) return waybillFromUrl(new URL(text.trim()))
  return longest(words.map((word) => word.replace(/[.)\]]+$/, '')))
}

function waybillFromUrl({ protocol, pathname, searchParams }: URL): string | null {
  if (!protocol.startsWith('http')) return null
  const named = Array.from(searchParams).filter(([key]) => ADDRESS_KEYS.includes(key.toLowerCase()))
  return longest([...named.map(([, value]) => value.trim()), ...pathname.split('/')])
}

function longest(words: string[]): string | null {
  const [found] = words.filter((word) => WAYBILL_PATTERN.test(word)).toSorted((a, b) => b.length - a.length)
  return found ?? null
}
