/** The column's limit. */
export const MAX_WAYBILL_LENGTH = 100

/** Query parameters of the couriers' tracking pages. */
const URL_PARAMETERS = [
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
 * Finds the waybill number in pasted or scanned text: the text itself, the number in a tracking URL, or the longest word with digits in
 * a courier's message. Null when nothing looks like a number.
 */
export function findWaybill(text: string): string | null {
  const words = text.trim().split(/[\s,;:#]+/)
  if (URL.canParse(text.trim())) return waybillFromUrl(new URL(text.trim()))
  return longest(words.map((word) => word.replace(/[.)\]]+$/, '')))
}

function waybillFromUrl({ protocol, pathname, searchParams }: URL): string | null {
  if (!protocol.startsWith('http')) return null
  const parameters = Array.from(searchParams).filter(([key]) => URL_PARAMETERS.includes(key.toLowerCase()))
  return longest([...parameters.map(([, value]) => value.trim()), ...pathname.split('/')])
}

function longest(words: string[]): string | null {
  const [first] = words.filter((word) => WAYBILL_PATTERN.test(word)).toSorted((a, b) => b.length - a.length)
  return first ?? null
}
