import { DatabaseProblem } from '../database-problem.ts'
import { readLegacyState } from './legacy-state.ts'
import { parseDefinitions } from './parse-definitions.ts'
import type { ObjectSet } from './object-set.ts'
import { parseStatements } from './parse.ts'
import type { SourcePlan } from './plan.ts'
import { recordVersioned } from './records.ts'
import { dropObjects } from './repeatable.ts'
import { setRole, type Run, runStep } from './run.ts'
import type { VersionedFile } from './source.ts'
import { findExistingCode } from './existing-code.ts'

/**
 * Converts a database of the last schema before 1.0. The adoption files rename its tables to match the first versioned files.
 * All functions, views, policies and grants are replaced, because no record says which file created them.
 */
export async function adopt(run: Run, plans: SourcePlan[], objects: ObjectSet): Promise<void> {
  const sources = plans.map(({ files }) => files.source)
  const versioned = [...objects.versioned.keys()]
  const code = objects.repeatable.map(({ identity }) => identity)
  await run.client.query('drop table if exists supabase_migrations.bootstrap_versions')
  for (const plan of plans) await runAdoptionFile(run, plan)
  await dropObjects(run, await findExistingCode(run.client, sources, versioned))
  // A function that a dynamically created trigger uses is replaced in place.
  const left = await dropObjects(run, await findExistingCode(run.client, sources, [...versioned, ...code]))
  if (left[0]) throw new DatabaseProblem(`${left[0].identity} is in use, but no file defines it`)
  for (const plan of plans) await recordBaseline(run, plan, objects)
}

async function runAdoptionFile(run: Run, { files: { source, adoption } }: SourcePlan): Promise<void> {
  if (!adoption) return
  await setRole(run, source.roleOf(''))
  for (const { text, line } of await parseStatements(adoption)) {
    await runStep(run, text, { file: adoption, line })
  }
}

/** Records the files of 1.0 as applied, and runs their functions, grants and comments again, which may have changed. */
async function recordBaseline(run: Run, plan: SourcePlan, objects: ObjectSet): Promise<void> {
  const { source, versioned } = plan.files
  const baseline = (await readLegacyState(source))?.baseline ?? ''
  const adopted = versioned.filter(({ version }) => version <= baseline)
  await setRole(run, null)
  await run.client.query(`delete from supabase_migrations.${run.client.escapeIdentifier(source.records)}`)
  for (const file of adopted) {
    if (!plan.managed.has(file.subject)) await applyCodeOf(run, plan, { file, objects })
    await setRole(run, null)
    await recordVersioned(run.client, source, file)
  }
  plan.pending = versioned.filter(({ version }) => version > baseline)
}

async function applyCodeOf(
  run: Run,
  plan: SourcePlan,
  { file, objects }: { file: VersionedFile; objects: ObjectSet },
): Promise<void> {
  await setRole(run, plan.files.source.roleOf(file.subject))
  for (const statement of objects.statements.get(file) ?? []) {
    const parsed = parseDefinitions(statement)
    if (typeof parsed === 'string' && !('GrantStmt' in statement.node)) continue
    const sql = typeof parsed === 'string' ? statement.text : parsed.map(({ create }) => create).join('\n; ')
    await runStep(run, sql, { file, line: statement.line })
  }
}
