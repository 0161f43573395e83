/**
 * Returns a function that runs works in order, one in each turn of the event loop. Others get their turn in between: work that arrives
 * in one moment would otherwise be done in one piece.
 */
export function spread(): (work: () => void) => void {
  const waiting: (() => void)[] = []

  function runNext(): void {
    const work = waiting.shift()
    if (waiting.length > 0) setImmediate(runNext)
    work?.()
  }

  return (work) => {
    if (waiting.push(work) === 1) setImmediate(runNext)
  }
}
