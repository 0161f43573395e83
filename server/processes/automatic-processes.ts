import { availableParallelism, totalmem } from 'node:os'

/** One process needs about a fifth of it; the rest is for PostgreSQL and the files that the kernel caches. */
const MEMORY_FOR_EACH_BYTES = 1024 ** 3

/** Returns the number of processes for `PROCESSES=auto`: one for each core that the memory suffices for. */
export function automaticProcesses(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(usableMemory() / MEMORY_FOR_EACH_BYTES)))
}

/** Returns the machine's memory, or that of the container, in bytes. */
export function usableMemory(): number {
  // Without a limit it is 0, or more than the machine has.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}
