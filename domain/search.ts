/**
 * Forgiving search over short texts. Every word that is asked for must be found: as the beginning or middle of a word, across
 * a gap (`redhead` finds `Red Head`, and the other way round), or with a slip of the fingers in it.
 */

/** How well a text answers; `null` when it does not. Smaller is better. */
export function distanceTo(text: string, query: string): number | null {
  const words = wordsOf(text)
  const run = words.join('')
  const wanted = wordsOf(query)
  // Whoever asks in letters that no text here has finds nothing, and whoever asks nothing finds all.
  if (wanted.length === 0) return query.trim() === '' ? 0 : null
  if (run.includes(wanted.join(''))) return words.some((word) => word.startsWith(wanted[0] ?? '')) ? 0 : 1

  // `redhaed` is a slip in what is written as two words.
  const pairs = words.slice(1).map((word, before) => `${words[before]}${word}`)
  const candidates = [...words, ...pairs]
  let sum = 0
  for (const word of wanted) {
    const distance = Math.min(
      ...candidates.map((candidate) => wordDistance(candidate, word)),
      inRun(run, word),
    )
    if (distance === Infinity) return null
    sum += distance
  }
  return sum
}

export function matches(text: string, query: string): boolean {
  return distanceTo(text, query) !== null
}

/** Those that answer, the best first, otherwise in the order they came in. */
export function search<Entry>(entries: Entry[], query: string, textOf: (entry: Entry) => string): Entry[] {
  return entries
    .flatMap((entry) => {
      const distance = distanceTo(textOf(entry), query)
      return distance === null ? [] : [{ entry, distance }]
    })
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ entry }) => entry)
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map(singular)
}

/** Anglers ask for poppers and the lure is called popper. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function wordDistance(word: string, wanted: string): number {
  if (word.startsWith(wanted)) return 0
  if (word.includes(wanted)) return 1
  const slips = allowedSlips(wanted)
  if (slips === 0) return Infinity
  // What was typed may be the beginning of the word, as far as it goes.
  const found = Math.min(slipsBetween(word, wanted), slipsBetween(word.slice(0, wanted.length), wanted))
  return found <= slips ? 1 + found : Infinity
}

function inRun(run: string, wanted: string): number {
  return wanted.length > 3 && run.includes(wanted) ? 1 : Infinity
}

/** A figure with a slip in it is another figure, and three letters with one are another word. */
function allowedSlips(wanted: string): number {
  if (/\d/.test(wanted) || wanted.length < 4) return 0
  return wanted.length < 8 ? 1 : 2
}

/** Damerau–Levenshtein, restricted: letters left out, added, swapped for another or with their neighbour. */
function slipsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, letters) => letters)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        at(rows[i - 1], j) + 1,
        at(row, j - 1) + 1,
        at(rows[i - 1], j - 1) + cost,
        isSwap ? at(rows[i - 2], j - 2) + 1 : Infinity,
      )
    }
    rows[i] = row
  }
  return at(rows[one.length], other.length)
}

function at(row: number[] | undefined, index: number): number {
  return row?.[index] ?? Infinity
}
