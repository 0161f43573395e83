const RESET_AFTER_MS = 1_000

/** Letters typed in quick succession while a menu is open. */
export interface TypedLetters {
  text: string
  at: number
}

export const nothingTyped: TypedLetters = { text: '', at: -Infinity }

export function typeLetter(before: TypedLetters, letter: string, now: number): TypedLetters {
  const isExpired = now - before.at > RESET_AFTER_MS
  return { text: (isExpired ? '' : before.text) + letter.toLowerCase(), at: now }
}

/** Returns the index of the entry that starts with the letters, or −1. Repeating one letter cycles through its entries. */
export function matchingEntry(labels: string[], text: string, current: number): number {
  const first = text.slice(0, 1)
  const isOneLetter = text === first.repeat(text.length)
  const prefix = isOneLetter ? first : text
  const from = isOneLetter ? current + 1 : Math.max(current, 0)
  const order = labels.map((_, step) => (from + step) % labels.length)
  return order.find((at) => labels[at]?.trim().toLowerCase().startsWith(prefix)) ?? -1
}
