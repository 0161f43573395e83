import { DatabaseProblem } from '../database-problem.ts'
import type { Definition, DefinitionKind } from './definitions.ts'
import type { RecordedObject, RemovableObject } from './records.ts'
import { setRole, type Run, runStep, tryRemoval, tryStep } from './run.ts'

/** An object never depends on one of an earlier kind. */
const REMOVAL_ORDER: DefinitionKind[] = ['comment', 'grant', 'policy', 'trigger', 'view', 'function']

export interface CodeChange {
  /** All objects of a source's repeatable files. */
  definitions: Definition[]
  /** Applied objects by identity. */
  recorded: Map<string, RecordedObject>
  /** Identities of all files of all sources. */
  definedIdentities: Set<string>
  /** Applies unchanged objects, too. */
  reapplyAll: boolean
}

/**
 * Applies changed functions, views, triggers, policies, grants and comments, and removes those without a definition. Returns
 * the ones that could not be removed because other objects use them, for `requireRemoved`.
 */
export async function applyCode(run: Run, change: CodeChange): Promise<RemovableObject[]> {
  const { definitions, recorded, definedIdentities, reapplyAll } = change
  const removed = [...recorded.values()].filter(({ identity }) => !definedIdentities.has(identity))
  const due = definitions.filter(({ identity, hash }) => reapplyAll || recorded.get(identity)?.hash !== hash)
  const stillUsed = await dropObjects(run, removed)
  await applyDefinitions(run, [...due, ...columnGrantsToRestore(change, removed, due)])
  return stillUsed
}

/** Runs definitions in dependency order. */
async function applyDefinitions(run: Run, due: Definition[]): Promise<void> {
  const of = (...kinds: DefinitionKind[]) => kinds.flatMap((kind) => due.filter((one) => one.kind === kind))
  await applyInDependencyOrder(run, of('function', 'view'))
  for (const definition of of('trigger', 'policy')) {
    await setRole(run, null)
    if (definition.dropFirst) await runStep(run, definition.undo, definition)
    await runAsOwner(run, definition, () => runStep(run, definition.create, definition))
  }
  for (const [first, ...others] of byStatement(of('grant', 'comment'))) {
    const sql = [first, ...others].map(({ create }) => create).join('\n; ')
    await runAsOwner(run, first, () => runStep(run, sql, first))
  }
  await setRole(run, null)
}

/** Groups definitions by statement: one statement may grant hundreds of single rights, which need one round trip. */
function byStatement(definitions: Definition[]): [Definition, ...Definition[]][] {
  const groups: [Definition, ...Definition[]][] = []
  for (const definition of definitions) {
    const last = groups.at(-1)
    if (last && last[0].file === definition.file && last[0].line === definition.line) last.push(definition)
    else groups.push([definition])
  }
  return groups
}

/** Drops objects; returns those that other objects use. */
export async function dropObjects(run: Run, removed: RemovableObject[]): Promise<RemovableObject[]> {
  await setRole(run, null)
  let remaining = REMOVAL_ORDER.flatMap((kind) => removed.filter((one) => one.kind === kind))
  for (let before = -1; before !== remaining.length && remaining.length > 0;) {
    before = remaining.length
    const used: RemovableObject[] = []
    for (const object of remaining) if (await tryRemoval(run, object.undo)) used.push(object)
    remaining = used
  }
  return remaining
}

/** Functions and views use each other: retries those that fail on a missing object until all are applied. */
async function applyInDependencyOrder(run: Run, definitions: Definition[]): Promise<void> {
  let remaining = definitions
  while (remaining.length > 0) {
    const postponed: { definition: Definition; problem: DatabaseProblem }[] = []
    for (const definition of remaining) {
      const problem = await runAsOwner(run, definition, () => tryStep(run, definition.create, definition))
      if (problem) postponed.push({ definition, problem })
    }
    if (postponed[0] && postponed.length === remaining.length) throw postponed[0].problem
    remaining = postponed.map(({ definition }) => definition)
  }
}

/** Removes the objects again after all files were applied; throws a DatabaseProblem that names what uses them. */
export async function requireRemoved(run: Run, stillUsed: RemovableObject[]): Promise<void> {
  const [remaining] = await dropObjects(run, stillUsed)
  if (!remaining) return
  const error = await tryRemoval(run, remaining.undo)
  const uses = error?.detail?.split('\n', 1)[0] ?? 'something uses it'
  throw new DatabaseProblem(`${remaining.identity} is no longer defined but cannot be dropped: ${uses}`)
}

/** Revoking a privilege on a table also revokes it on single columns; returns the column grants to apply again. */
function columnGrantsToRestore(
  { definitions }: CodeChange,
  removed: RemovableObject[],
  due: Definition[],
): Definition[] {
  const targets = new Set(removed.map(({ target }) => target))
  return definitions.filter(
    (one) => one.target !== undefined && targets.has(one.target) && !due.includes(one),
  )
}

async function runAsOwner<T>(run: Run, { source, file }: Definition, work: () => Promise<T>): Promise<T> {
  await setRole(run, source.roleOf(file.subject))
  return work()
}
