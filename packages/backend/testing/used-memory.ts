import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose_gc')
const collectGarbage: unknown = runInNewContext('gc')

/** Returns the bytes in use after a garbage collection. */
export function usedMemory(): number {
  if (typeof collectGarbage === 'function') collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
