/**
 * Returns a function that runs works in order, `atOnce` in each turn of the event loop. Others get their turn in between: work that
 * arrives in one moment would otherwise be done in one piece.
 */
export function spread(atOnce: number): (work: () => void) => void {
  const waiting: (() => void)[] = []

  function runSome(): void {
    const turn = waiting.splice(0, atOnce)
    if (waiting.length > 0) setImmediate(runSome)
    for (const work of turn) work()
  }

  return (work) => {
    if (waiting.push(work) === 1) setImmediate(runSome)
  }
}
