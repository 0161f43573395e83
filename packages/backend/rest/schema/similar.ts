/** Returns the most similar candidate with at least the given similarity (0 to 1), for hints in error messages. */
export function mostSimilar(wanted: string, candidates: Iterable<string>, atLeast: number): string | null {
  let best: string | null = null
  let bestScore = atLeast
  for (const candidate of candidates) {
    const score = similarity(wanted.toLowerCase(), candidate.toLowerCase())
    if (score >= bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

const MAX_COMPARED_LENGTH = 63

/** 1 for equal texts, 0 for texts with nothing in common. PostgreSQL's names have at most 63 bytes. */
function similarity(left: string, right: string): number {
  const longest = Math.max(left.length, right.length)
  if (longest === 0 || left.length > MAX_COMPARED_LENGTH) return 0
  return 1 - editDistance(left, right) / longest
}

/** Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current[column] = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
