import { DatabaseProblem } from '../problem.ts'
import { readBeforeOne } from './before-one.ts'
import { draftsOf } from './drafts.ts'
import type { ObjectSet } from './object-set.ts'
import { parseStatements } from './parse.ts'
import type { SourcePlan } from './plan.ts'
import { recordVersioned } from './records.ts'
import { removeObjects } from './repeatable.ts'
import { actAs, type Run, runStep } from './run.ts'
import type { VersionedFile } from './source.ts'
import { foundCode } from './found-code.ts'

/**
 * Takes over a database of the last state before 1.0. Its tables are those of the first versioned files, once the
 * adoption files have renamed some; its code is replaced as a whole, because no record says which file made what.
 */
export async function adopt(run: Run, plans: SourcePlan[], objects: ObjectSet): Promise<void> {
  const sources = plans.map(({ files }) => files.source)
  const versioned = [...objects.versioned.keys()]
  const code = objects.repeatable.map(({ identity }) => identity)
  await run.client.query('drop table if exists supabase_migrations.bootstrap_versions')
  // oxlint-disable no-await-in-loop -- in order, on one connection
  for (const plan of plans) await runAdoptionFile(run, plan)
  await removeObjects(run, await foundCode(run.client, sources, versioned))
  // A function that is still used, by a trigger that code made, is replaced in place.
  const left = await removeObjects(run, await foundCode(run.client, sources, [...versioned, ...code]))
  if (left[0]) throw new DatabaseProblem(`${left[0].identity} is in use, but no file defines it`)
  for (const plan of plans) await recordBaseline(run, plan, objects)
  // oxlint-enable no-await-in-loop
}

async function runAdoptionFile(run: Run, { files: { source, adoption } }: SourcePlan): Promise<void> {
  if (!adoption) return
  await actAs(run, source.roleOf(''))
  for (const { text, line } of await parseStatements(adoption)) {
    // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
    await runStep(run, text, { file: adoption, line })
  }
}

/** Records the files of 1.0 as applied, and takes their functions, grants and comments, which may have changed. */
async function recordBaseline(run: Run, plan: SourcePlan, objects: ObjectSet): Promise<void> {
  const { source, versioned } = plan.files
  const baseline = (await readBeforeOne(source))?.baseline ?? ''
  const adopted = versioned.filter(({ version }) => version <= baseline)
  await actAs(run, null)
  await run.client.query(`delete from supabase_migrations.${run.client.escapeIdentifier(source.records)}`)
  // oxlint-disable no-await-in-loop -- in order, on one connection
  for (const file of adopted) {
    if (!plan.kept.has(file.subject)) await applyCodeOf(run, plan, { file, objects })
    await actAs(run, null)
    await recordVersioned(run.client, source, file)
  }
  // oxlint-enable no-await-in-loop
  plan.pending = versioned.filter(({ version }) => version > baseline)
}

async function applyCodeOf(
  run: Run,
  plan: SourcePlan,
  { file, objects }: { file: VersionedFile; objects: ObjectSet },
): Promise<void> {
  await actAs(run, plan.files.source.roleOf(file.subject))
  for (const statement of objects.statements.get(file) ?? []) {
    const drafts = draftsOf(statement)
    if (typeof drafts === 'string' && !('GrantStmt' in statement.node)) continue
    const sql = typeof drafts === 'string' ? statement.text : drafts.map(({ create }) => create).join('\n; ')
    // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
    await runStep(run, sql, { file, line: statement.line })
  }
}
