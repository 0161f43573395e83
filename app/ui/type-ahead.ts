const FORGOTTEN_AFTER_MS = 1_000

/** Letters typed at a menu, one soon after the other. */
export interface Typed {
  text: string
  at: number
}

export const nothingTyped: Typed = { text: '', at: -Infinity }

export function typeLetter(before: Typed, letter: string, now: number): Typed {
  const isForgotten = now - before.at > FORGOTTEN_AFTER_MS
  return { text: (isForgotten ? '' : before.text) + letter.toLowerCase(), at: now }
}

/** Which entry the letters mean; the same letter again goes on to the next that begins with it. −1 when none does. */
export function matchingEntry(labels: string[], text: string, current: number): number {
  const first = text.slice(0, 1)
  const isOneLetter = text === first.repeat(text.length)
  const wanted = isOneLetter ? first : text
  const from = isOneLetter ? current + 1 : Math.max(current, 0)
  const order = labels.map((_, step) => (from + step) % labels.length)
  return order.find((at) => labels[at]?.trim().toLowerCase().startsWith(wanted)) ?? -1
}
