import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import type { Records } from './records.ts'
import type { Source } from './source.ts'

/** Content of `before-1.0.json`, which identifies the last schema before 1.0. */
const legacyState = z.object({
  /** The last versioned file whose tables exist in that schema. */
  baseline: z.string(),
  /** The exact list of migrations that the schema had applied. */
  versions: z.array(z.string()).optional(),
  /** Hashes of the backend's SQL that the schema recorded. */
  bootstrap: z.array(z.string()).optional(),
})

type LegacyState = z.infer<typeof legacyState>

export async function readLegacyState({ migrations }: Source): Promise<LegacyState | null> {
  const text = await readFile(join(migrations, 'before-1.0.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  return text === null ? null : legacyState.parse(JSON.parse(text))
}

/**
 * Whether a source's tables have the last schema before 1.0, which recorded no hashes. Throws when they have an earlier one,
 * which these files cannot upgrade.
 */
export async function isLatestLegacyState(source: Source, records: Records): Promise<boolean> {
  const before = await readLegacyState(source)
  const recorded = [...(records.versioned.get(source.name) ?? [])]
  // A version before 1.0 that ran on a newer database has recorded its hash as well.
  if (before?.bootstrap) return recorded.length === 0 && containsHash(before.bootstrap, records.bootstrapHash)
  const recordedVersions = recorded.filter(([, { hash }]) => hash === null).map(([version]) => version)
  if (!recordedVersions.length) return false
  const expected = before?.versions?.toSorted() ?? []
  if (
    recordedVersions.length === expected.length &&
    recordedVersions.toSorted().every((version, at) => version === expected[at])
  )
    return true
  throw tooOld()
}

function containsHash(hashes: string[], recordedHash: string | null): boolean {
  if (recordedHash === null) return false
  if (hashes.includes(recordedHash)) return true
  throw tooOld()
}

function tooOld(): DatabaseProblem {
  return new DatabaseProblem(
    'the database is of an older version than the last one before 1.0: start the last version before 1.0 on it first',
  )
}
