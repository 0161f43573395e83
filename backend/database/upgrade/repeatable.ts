import { DatabaseProblem } from '../problem.ts'
import type { Definition, Kind } from './definitions.ts'
import type { RecordedObject } from './records.ts'
import { actAs, type Run, runStep, tryRemoval, tryStep } from './run.ts'

/** Nothing in an earlier kind uses anything in a later one. */
const REMOVAL_ORDER: Kind[] = ['comment', 'grant', 'policy', 'trigger', 'view', 'function']

export interface CodeChange {
  /** Everything that a source's repeatable files define. */
  definitions: Definition[]
  /** What has been applied, by identity. */
  recorded: Map<string, RecordedObject>
  /** Identities that any file defines. */
  kept: Set<string>
  /** Every object is applied again, changed or not. */
  isRenewed: boolean
}

/**
 * Brings functions, views, triggers, policies, grants and comments from what is recorded to what the files define. Answers
 * objects that are no longer defined and still used, for `requireRemoved`.
 */
export async function applyCode(run: Run, change: CodeChange): Promise<RecordedObject[]> {
  const { definitions, recorded, kept, isRenewed } = change
  const removed = [...recorded.values()].filter(({ identity }) => !kept.has(identity))
  const due = definitions.filter(({ identity, hash }) => isRenewed || recorded.get(identity)?.hash !== hash)
  const stillUsed = await removeObjects(run, removed)
  await applyDefinitions(run, [...due, ...grantsLost(change, removed, due)])
  return stillUsed
}

/** Runs definitions in an order in which each finds what it needs. */
async function applyDefinitions(run: Run, due: Definition[]): Promise<void> {
  const of = (...kinds: Kind[]) => kinds.flatMap((kind) => due.filter((one) => one.kind === kind))
  await applyAsPossible(run, of('function', 'view'))
  for (const definition of of('trigger', 'policy')) {
    // oxlint-disable no-await-in-loop -- in order, on one connection
    await actAs(run, null)
    if (definition.dropFirst) await runStep(run, definition.undo, definition)
    await act(run, definition, () => runStep(run, definition.create, definition))
    // oxlint-enable no-await-in-loop
  }
  for (const [first, ...others] of byStatement(of('grant', 'comment'))) {
    const sql = [first, ...others].map(({ create }) => create).join('\n; ')
    // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
    await act(run, first, () => runStep(run, sql, first))
  }
  await actAs(run, null)
}

/** One statement of a file may grant hundreds of single rights: they go to the database together. */
function byStatement(definitions: Definition[]): [Definition, ...Definition[]][] {
  const groups: [Definition, ...Definition[]][] = []
  for (const definition of definitions) {
    const last = groups.at(-1)
    if (last && last[0].file === definition.file && last[0].line === definition.line) last.push(definition)
    else groups.push([definition])
  }
  return groups
}

/** Removes objects; answers those that something else still uses, which may change before the end. */
export async function removeObjects(run: Run, removed: RecordedObject[]): Promise<RecordedObject[]> {
  await actAs(run, null)
  let left = REMOVAL_ORDER.flatMap((kind) => removed.filter((one) => one.kind === kind))
  // oxlint-disable no-await-in-loop -- in order, on one connection
  for (let before = -1; before !== left.length && left.length > 0;) {
    before = left.length
    const used: RecordedObject[] = []
    for (const object of left) if (await tryRemoval(run, object.undo)) used.push(object)
    left = used
  }
  // oxlint-enable no-await-in-loop
  return left
}

/** Functions and views use each other: those that come too early wait until the others are there. */
async function applyAsPossible(run: Run, definitions: Definition[]): Promise<void> {
  let left = definitions
  while (left.length > 0) {
    const early: { definition: Definition; problem: DatabaseProblem }[] = []
    for (const definition of left) {
      // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
      const problem = await act(run, definition, () => tryStep(run, definition.create, definition))
      if (problem) early.push({ definition, problem })
    }
    if (early[0] && early.length === left.length) throw early[0].problem
    left = early.map(({ definition }) => definition)
  }
}

/** Removes what was still used before everything else was applied, or says what uses it. */
export async function requireRemoved(run: Run, stillUsed: RecordedObject[]): Promise<void> {
  const [left] = await removeObjects(run, stillUsed)
  if (!left) return
  const error = await tryRemoval(run, left.undo)
  const uses = error?.detail?.split('\n', 1)[0] ?? 'something uses it'
  throw new DatabaseProblem(`${left.identity} is no longer defined but cannot be dropped: ${uses}`)
}

/** Revoking a privilege on a table also revokes it on single columns: what the files grant there is granted again. */
function grantsLost({ definitions }: CodeChange, removed: RecordedObject[], due: Definition[]): Definition[] {
  const targets = new Set(removed.map(({ target }) => target))
  return definitions.filter(
    (one) => one.target !== undefined && targets.has(one.target) && !due.includes(one),
  )
}

async function act<T>(run: Run, { source, file }: Definition, work: () => Promise<T>): Promise<T> {
  await actAs(run, source.roleOf(file.subject))
  return work()
}
