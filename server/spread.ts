/**
 * Returns a function that runs what it is given, in order, one in each turn of the event loop: other events get their turn in between.
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
