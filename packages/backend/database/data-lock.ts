import { rm } from 'node:fs/promises'
import { join } from 'node:path'

interface Program {
  command: string
  args: string[]
}

/** Exit code of a server that did not start because another one has the lock. */
export const LOCKED_EXIT_CODE = 97
/** The children of a killed server hold its lock until they have noticed. */
const WAIT_S = 5

/** A file that every cluster has and that is never written again. */
const LOCK_FILE = 'PG_VERSION'
const PID_FILE = 'postmaster.pid'

/**
 * Returns the command that runs a server under a lock on its data, and removes the `postmaster.pid` of a dead one once it has the lock.
 *
 * Process ids do not tell whether a server is alive: those of another container cannot be seen, nor is its shared memory, by which
 * PostgreSQL would notice; and a server that was started under another path is not recognised. Two servers on one folder destroy
 * the database. The kernel's lock belongs to the file itself and ends with the last process of the server.
 */
export async function withDataLock<P extends Program>(data: string, program: P): Promise<P> {
  const pidFile = join(data, PID_FILE)
  // Other systems run the shop for development only, and may lack flock.
  if (process.platform !== 'linux') {
    await rm(pidFile, { force: true })
    return program
  }
  const options = ['--no-fork', `--timeout=${WAIT_S}`, `--conflict-exit-code=${LOCKED_EXIT_CODE}`]
  const start = ['sh', '-c', 'rm -f "$0" && exec "$@"', pidFile]
  return {
    ...program,
    command: 'flock',
    args: [...options, join(data, LOCK_FILE), ...start, program.command, ...program.args],
  }
}
