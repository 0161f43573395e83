interface LargeConnection {
  /** What the process keeps for it. */
  bytes: number
  close: () => void
}

/** Closes the connections with the most bytes while all together exceed the limit. */
export function closeLargest(connections: LargeConnection[], maxBytes: number): void {
  let kept = connections.reduce((sum, { bytes }) => sum + bytes, 0)
  if (kept <= maxBytes) return
  for (const { bytes, close } of connections.toSorted((a, b) => b.bytes - a.bytes)) {
    close()
    kept -= bytes
    if (kept <= maxBytes) return
  }
}
