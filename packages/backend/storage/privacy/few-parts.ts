/**
 * A PNG of 100 MB has some twelve thousand chunks of 8 kB, and other formats have larger parts. Millions of empty ones in a made-up
 * picture would occupy the process for seconds and fill its memory.
 */
const MAX_PARTS = 20_000

/** Throws a `RangeError` for more segments, chunks or blocks than the picture of a camera or editor has. */
export function requireFewParts(count: number): void {
  if (count > MAX_PARTS) throw new RangeError('The picture has too many parts')
}
