import { asNumber, selectValue } from '../select-rows.ts'
import { adopt } from './adopt.ts'
import { withConnection, inUpgradeTransaction } from './connection.ts'
import { type ObjectSet, readObjects } from './object-set.ts'
import { type Plan, planUpgrade, type SourcePlan } from './plan.ts'
import {
  createRecords,
  type RecordedObject,
  recordRelease,
  recordRepeatable,
  recordVersioned,
  type RemovableObject,
} from './records.ts'
import type { Release } from './release.ts'
import { applyCode, requireRemoved } from './repeatable.ts'
import { setRole, type Run, runStep } from './run.ts'
import { readSource, type Source, type VersionedFile } from './source.ts'
import { parseStatements, type ParsedStatement } from './parse.ts'

export interface Upgrade {
  sources: Source[]
  release: Release
  /** Runs after all files in the same transaction, as `ownerRole` if the connection is a superuser's. */
  finish?: (run: Run) => Promise<void>
  ownerRole?: string | null
}

/** Returns what a start would do, without writing. Throws a DatabaseProblem when the start would fail. */
export async function inspectDatabase(
  url: string,
  { sources, release }: Pick<Upgrade, 'sources' | 'release'>,
): Promise<Plan['kind']> {
  const files = await Promise.all(sources.map(readSource))
  return withConnection(url, async (client) => (await planUpgrade(client, files, release)).kind)
}

/**
 * Brings the database to the state that the files define, in one transaction, so that a failure leaves the old state. A lock
 * makes concurrent starts take turns. Returns what was pending.
 */
export async function upgradeDatabase(url: string, upgrade: Upgrade): Promise<Plan['kind']> {
  const { sources, release, finish, ownerRole = null } = upgrade
  const files = await Promise.all(sources.map(readSource))
  return inUpgradeTransaction(url, async (run) => {
    const plan = await planUpgrade(run.client, files, release)
    if (plan.kind === 'newer') return plan.kind
    if (plan.kind !== 'current') await apply(run, plan, release)
    await setRole(run, ownerRole)
    await finish?.(run)
    return plan.kind
  })
}

async function apply(run: Run, plan: Plan, release: Release): Promise<void> {
  const { sources } = plan
  const objects = await readObjects(sources.map(({ files }) => files))
  await createRecords(
    run.client,
    sources.map(({ files }) => files.source),
  )
  const adopted = sources.filter(({ isAdopted }) => isAdopted)
  if (adopted.length) await adopt(run, adopted, objects)
  const stillUsed: RemovableObject[] = []
  for (const source of sources) {
    // In order: a source's tables may use the one before it, its rights included.
    await applyVersioned(run, source, objects)
    stillUsed.push(...(await applyRepeatable(run, { plan, source, objects })))
  }
  await requireRemoved(run, stillUsed)
  await setRole(run, null)
  await recordRelease(run.client, release)
}

/** Returns the objects that could not be removed because a later source may still use them. */
async function applyRepeatable(
  run: Run,
  { plan, source, objects }: { plan: Plan; source: SourcePlan; objects: ObjectSet },
): Promise<RemovableObject[]> {
  const { files, pending, isAdopted } = source
  const own = objects.repeatable.filter((definition) => definition.source === files.source)
  const stillUsed = await applyCode(run, {
    definitions: own,
    recorded: recordedObjects(plan, source),
    // Includes all sources and versioned files: an object that moves between files must not be dropped.
    definedIdentities: new Set([
      ...objects.versioned.keys(),
      ...objects.repeatable.map(({ identity }) => identity),
    ]),
    // A versioned file may have dropped objects of repeatable files.
    reapplyAll: pending.length > 0 || isAdopted,
  })
  await setRole(run, null)
  await recordRepeatable(run.client, files.source, {
    files: files.repeatable,
    definitions: own,
    managed: source.managed,
  })
  return stillUsed
}

async function applyVersioned(run: Run, plan: SourcePlan, objects: ObjectSet): Promise<void> {
  const { source } = plan.files
  for (const file of plan.pending) {
    if (!plan.managed.has(file.subject)) {
      await setRole(run, source.roleOf(file.subject))
      for (const { text, line } of await statementsFor(run, file, objects)) {
        await runStep(run, text, { file, line })
      }
    }
    await setRole(run, null)
    await recordVersioned(run.client, source, file)
  }
}

const FIRST_CURRENT_SERVER = 170_000

async function statementsFor(run: Run, file: VersionedFile, objects: ObjectSet): Promise<ParsedStatement[]> {
  const { forOlderServers } = file
  if (forOlderServers) {
    const version = await selectValue(run.client, asNumber, [
      `select current_setting('server_version_num')::int`,
    ])
    if (version < FIRST_CURRENT_SERVER) return parseStatements(forOlderServers)
  }
  return objects.statements.get(file) ?? []
}

function recordedObjects({ records }: Plan, { files }: SourcePlan): Map<string, RecordedObject> {
  const recorded = records.repeatable.get(files.source.name)?.values() ?? []
  const objects = [...recorded].flatMap((file) => file.objects)
  return new Map(objects.map((object) => [object.identity, object]))
}
