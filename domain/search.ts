/**
 * Fuzzy search over short texts. Every word of the query must match: a word or a part of one, two adjacent words (`redhead` matches
 * `Red Head` and vice versa), or a word with a typing mistake.
 */

/** Returns how far a text is from the query, 0 being the best; `null` without a match. */
function matchDistance(text: string, query: string): number | null {
  const words = wordsOf(text)
  const run = words.join('')
  const wanted = wordsOf(query)
  // An empty query matches everything; a query without Latin letters or digits matches nothing.
  if (wanted.length === 0) return query.trim() === '' ? 0 : null
  if (run.includes(wanted.join(''))) return words.some((word) => word.startsWith(wanted[0] ?? '')) ? 0 : 1

  // `redhaed` must match `Red Head`, too.
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
  return matchDistance(text, query) !== null
}

/** Returns the matching entries, best first; equal ones keep their order. */
export function search<Entry>(entries: Entry[], query: string, textOf: (entry: Entry) => string): Entry[] {
  return entries
    .flatMap((entry) => {
      const distance = matchDistance(textOf(entry), query)
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

/** Strips a plural s: `poppers` must match `popper`. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function wordDistance(word: string, wanted: string): number {
  if (word.startsWith(wanted)) return 0
  if (word.includes(wanted)) return 1
  const maxEdits = maxEditsFor(wanted)
  if (maxEdits === 0) return Infinity
  // The query may be an unfinished word.
  const edits = Math.min(editsBetween(word, wanted), editsBetween(word.slice(0, wanted.length), wanted))
  return edits <= maxEdits ? 1 + edits : Infinity
}

function inRun(run: string, wanted: string): number {
  return wanted.length > 3 && run.includes(wanted) ? 1 : Infinity
}

/** None for numbers and words of up to three letters: one edit makes them a different number or word. */
function maxEditsFor(wanted: string): number {
  if (/\d/.test(wanted) || wanted.length < 4) return 0
  return wanted.length < 8 ? 1 : 2
}

/** The restricted Damerau–Levenshtein distance. */
function editsBetween(one: string, other: string): number {
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
