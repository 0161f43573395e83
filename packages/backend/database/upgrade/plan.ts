import type { ClientBase } from 'pg'
import { DatabaseProblem } from '../database-problem.ts'
import { asText, selectValues } from '../select-rows.ts'
import { isLatestLegacyState } from './legacy-state.ts'
import { type AppliedFiles, type Records, readRecords } from './records.ts'
import { compareVersions, newestOf, type Release } from './release.ts'
import type { SourceFiles, VersionedFile } from './source.ts'

export interface Plan {
  /**
   * `newer`: a later, compatible version upgraded the database, so nothing is applied. `current`: nothing is pending.
   * `fresh`: nothing has been applied yet. `code`: repeatable files have changed within a version, as during development.
   * `adopt`: the database has the last schema before 1.0.
   */
  kind: 'newer' | 'current' | 'fresh' | 'code' | 'upgrade' | 'adopt'
  records: Records
  sources: SourcePlan[]
}

export interface SourcePlan {
  files: SourceFiles
  /** The versioned files of 1.0 are recorded without running, because their tables exist. */
  isAdopted: boolean
  pending: VersionedFile[]
  hasChangedCode: boolean
  /** Subjects whose schema belongs to the hosted server. */
  managed: Set<string>
}

/** Returns what a start would do, without writing; throws a DatabaseProblem when it must not start. */
export async function planUpgrade(client: ClientBase, all: SourceFiles[], release: Release): Promise<Plan> {
  const records = await readRecords(
    client,
    all.map(({ source }) => source),
  )
  if (isNewer(records, release)) return { kind: 'newer', records, sources: [] }
  const sources: SourcePlan[] = []
  for (const files of all) sources.push(await planSource(client, files, records))
  return { kind: kindOf(sources, records, release), records, sources }
}

function isNewer({ releases }: Records, own: Release): boolean {
  const newest = newestOf(releases)
  if (!newest || compareVersions(newest.version, own.version) <= 0) return false
  if (compareVersions(newest.compatibleFrom, own.version) <= 0) return true
  throw new DatabaseProblem(
    `the database belongs to version ${newest.version}, which version ${own.version} does not understand: start version ${newest.compatibleFrom} or newer`,
  )
}

async function planSource(client: ClientBase, files: SourceFiles, records: Records): Promise<SourcePlan> {
  const { source } = files
  const managed = await findManagedSubjects(client, source.managedByServer)
  const applicable = { ...files, repeatable: files.repeatable.filter(({ subject }) => !managed.has(subject)) }
  const isAdopted = await isLatestLegacyState(source, records)
  const applied = (!isAdopted && records.versioned.get(source.name)) || new Map<string, never>()
  const pending = pendingFiles(applicable, applied)
  const known = ownFiles(records, source.name, managed)
  const hasChangedCode =
    known.size !== applicable.repeatable.length ||
    applicable.repeatable.some(({ path, hash }) => known.get(path)?.hash !== hash)
  return { files: applicable, isAdopted, pending, hasChangedCode, managed }
}

function pendingFiles({ versioned }: SourceFiles, applied: AppliedFiles): VersionedFile[] {
  const files = new Map(versioned.map((file) => [file.version, file]))
  for (const [version, { name, hash }] of applied) {
    const file = files.get(version)
    if (!file) {
      throw new DatabaseProblem(
        `${version}_${name}.sql was applied to the database but is missing: put it back, migrations stay for ever`,
      )
    }
    if (file.hash !== hash) {
      throw new DatabaseProblem(
        `${file.path} was edited after it had been applied: put it back as it was and write a new file for the change`,
      )
    }
  }
  const newest = [...applied.keys()].toSorted().at(-1) ?? ''
  const pending = versioned.filter(({ version }) => !applied.has(version))
  const late = pending.find(({ version }) => version < newest)
  if (late) {
    throw new DatabaseProblem(
      `${late.path} comes before ${newest}, which has been applied: give it a number after the newest`,
    )
  }
  return pending
}

function kindOf(sources: SourcePlan[], records: Records, release: Release): Plan['kind'] {
  if (sources.some(({ isAdopted }) => isAdopted)) return 'adopt'
  const newest = newestOf(records.releases)
  if (!newest) return 'fresh'
  if (newest.version !== release.version || sources.some(({ pending }) => pending.length > 0))
    return 'upgrade'
  const hasChanged = sources.some(({ hasChangedCode }) => hasChangedCode)
  return hasChanged || newest.compatibleFrom !== release.compatibleFrom ? 'code' : 'current'
}

/** Drops the records of managed subjects: their objects belong to the server and are neither compared nor removed. */
function ownFiles(records: Records, source: string, managed: Set<string>) {
  const recorded = [...(records.repeatable.get(source) ?? [])]
  const own = new Map(recorded.filter(([path]) => !managed.has(path.split('/')[0] ?? '')))
  records.repeatable.set(source, own)
  return own
}

/** Returns the subjects whose schema exists and belongs to another role. */
async function findManagedSubjects(client: ClientBase, subjects: string[]): Promise<Set<string>> {
  const managed = await selectValues(client, asText, [
    `select nspname from pg_namespace where nspname = any ($1) and not pg_has_role(nspowner, 'usage')`,
    subjects,
  ])
  return new Set(managed)
}
