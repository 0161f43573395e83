import { adopt } from './adopt.ts'
import { connected, inUpgrade } from './connection.ts'
import { type ObjectSet, readObjects } from './object-set.ts'
import { type Plan, planUpgrade, type SourcePlan } from './plan.ts'
import {
  createRecords,
  type RecordedObject,
  recordRelease,
  recordRepeatable,
  recordVersioned,
} from './records.ts'
import type { Release } from './release.ts'
import { applyCode, requireRemoved } from './repeatable.ts'
import { actAs, type Run, runStep } from './run.ts'
import { readSource, type Source } from './source.ts'

export interface Upgrade {
  sources: Source[]
  release: Release
  /** More work of the same transaction, after all files; as `ownerRole` where the connection is a superuser's. */
  finish?: (run: Run) => Promise<void>
  ownerRole?: string | null
}

/** What a start would do to the database, which stays as it is. Throws a DatabaseProblem when it would refuse. */
export async function inspectDatabase(
  url: string,
  { sources, release }: Pick<Upgrade, 'sources' | 'release'>,
): Promise<Plan['kind']> {
  const files = await Promise.all(sources.map(readSource))
  return connected(url, async (client) => (await planUpgrade(client, files, release)).kind)
}

/**
 * Brings the database to what the files define, in one transaction: whatever happens, it is at the old state or the new
 * one. Starts that come together take turns. Answers what there was to do.
 */
export async function upgradeDatabase(url: string, upgrade: Upgrade): Promise<Plan['kind']> {
  const { sources, release, finish, ownerRole = null } = upgrade
  const files = await Promise.all(sources.map(readSource))
  return inUpgrade(url, async (run) => {
    const plan = await planUpgrade(run.client, files, release)
    if (plan.kind === 'newer') return plan.kind
    if (plan.kind !== 'current') await apply(run, plan, release)
    await actAs(run, ownerRole)
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
  const stillUsed: RecordedObject[] = []
  for (const source of sources) {
    // oxlint-disable no-await-in-loop -- a source's tables may use the one before it, its rights included
    await applyVersioned(run, source, objects)
    stillUsed.push(...(await applyRepeatable(run, { plan, source, objects })))
    // oxlint-enable no-await-in-loop
  }
  await requireRemoved(run, stillUsed)
  await actAs(run, null)
  await recordRelease(run.client, release)
}

/** Answers what a later source may still use. */
async function applyRepeatable(
  run: Run,
  { plan, source, objects }: { plan: Plan; source: SourcePlan; objects: ObjectSet },
): Promise<RecordedObject[]> {
  const { files, pending, isAdopted } = source
  const own = objects.repeatable.filter((definition) => definition.source === files.source)
  const stillUsed = await applyCode(run, {
    definitions: own,
    recorded: recordedObjects(plan, source),
    // An object that moves to another source or to a versioned file stays.
    kept: new Set([...objects.versioned.keys(), ...objects.repeatable.map(({ identity }) => identity)]),
    // A versioned file may have dropped what repeatable files define.
    isRenewed: pending.length > 0 || isAdopted,
  })
  await actAs(run, null)
  await recordRepeatable(run.client, files.source, {
    files: files.repeatable,
    definitions: own,
    kept: source.kept,
  })
  return stillUsed
}

async function applyVersioned(run: Run, plan: SourcePlan, objects: ObjectSet): Promise<void> {
  const { source } = plan.files
  // oxlint-disable no-await-in-loop -- in order, on one connection
  for (const file of plan.pending) {
    if (!plan.kept.has(file.subject)) {
      await actAs(run, source.roleOf(file.subject))
      for (const { text, line } of objects.statements.get(file) ?? []) {
        await runStep(run, text, { file, line })
      }
    }
    await actAs(run, null)
    await recordVersioned(run.client, source, file)
  }
  // oxlint-enable no-await-in-loop
}

function recordedObjects({ records }: Plan, { files }: SourcePlan): Map<string, RecordedObject> {
  const recorded = records.repeatable.get(files.source.name)?.values() ?? []
  const objects = [...recorded].flatMap((file) => file.objects)
  return new Map(objects.map((object) => [object.identity, object]))
}
