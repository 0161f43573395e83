export interface StoredPart {
  key: string
  offset: number
  length: number
}

/** Returns the fewest parts that cover the file from its start without a gap, in order. Parts may overlap. */
export function contiguous(parts: StoredPart[]): StoredPart[] {
  const sorted = parts.toSorted((a, b) => a.offset - b.offset)
  const chosen: StoredPart[] = []
  let end = 0
  for (let next = 0; ;) {
    let best: StoredPart | null = null
    for (; next < sorted.length && (sorted[next]?.offset ?? Infinity) <= end; next += 1) {
      const part = sorted[next]
      if (part && part.offset + part.length > (best ? best.offset + best.length : end)) best = part
    }
    if (!best) return chosen
    chosen.push(best)
    end = best.offset + best.length
  }
}
