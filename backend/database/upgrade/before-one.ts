import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DatabaseProblem } from '../problem.ts'
import type { Records } from './records.ts'
import type { Source } from './source.ts'

/** `before-1.0.json` beside the versioned files: how the last state before 1.0 is recognised. */
const beforeOne = z.object({
  /** The last versioned file whose tables that state has already. */
  baseline: z.string(),
  /** Every migration that the state had applied, no more and no less. */
  versions: z.array(z.string()).optional(),
  /** The hashes that it recorded of the backend's SQL. */
  bootstrap: z.array(z.string()).optional(),
})

type BeforeOne = z.infer<typeof beforeOne>

export async function readBeforeOne({ migrations }: Source): Promise<BeforeOne | null> {
  const text = await readFile(join(migrations, 'before-1.0.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  return text === null ? null : beforeOne.parse(JSON.parse(text))
}

/**
 * Whether a database has a source's tables in the last state before 1.0, which recorded no hashes. False when it has none of
 * before 1.0; throws when it has an earlier state, which no file here leads on from.
 */
export async function isLastBeforeOne(source: Source, records: Records): Promise<boolean> {
  const before = await readBeforeOne(source)
  const recorded = [...(records.versioned.get(source.name) ?? [])]
  // A version before 1.0 that was started on a later database has left its hash there.
  if (before?.bootstrap) return recorded.length === 0 && knows(before.bootstrap, records.bootstrapHash)
  const found = recorded.filter(([, { hash }]) => hash === null).map(([version]) => version)
  if (!found.length) return false
  const wanted = before?.versions?.toSorted() ?? []
  if (found.length === wanted.length && found.toSorted().every((version, at) => version === wanted[at]))
    return true
  throw tooOld()
}

function knows(hashes: string[], found: string | null): boolean {
  if (found === null) return false
  if (hashes.includes(found)) return true
  throw tooOld()
}

function tooOld(): DatabaseProblem {
  return new DatabaseProblem(
    'the database is of an older version than the last one before 1.0: start the last version before 1.0 on it first',
  )
}
