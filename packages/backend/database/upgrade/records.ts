import { type ClientBase, escapeIdentifier } from 'pg'
import { z } from 'zod'
import { selectRows } from '../select-rows.ts'
import { DEFINITION_KINDS, type Definition } from './definitions.ts'
import type { Release } from './release.ts'
import type { Source, SqlFile, VersionedFile } from './source.ts'

/** An object (function, view, trigger, policy) that a repeatable SQL file has created in the database. */
export const recordedObject = z.object({
  kind: z.enum(DEFINITION_KINDS),
  identity: z.string(),
  hash: z.string(),
  undo: z.string(),
  target: z.string().optional(),
})

export type RecordedObject = z.infer<typeof recordedObject>
export type RemovableObject = Omit<RecordedObject, 'hash'>

const releaseRow = z.object({ version: z.string(), compatible_from: z.string() })
const repeatableRow = z.object({
  source: z.string(),
  path: z.string(),
  hash: z.string(),
  objects: z.array(recordedObject),
})
const bootstrapRow = z.object({ version: z.string(), applied_at: z.date() })
/** The hosted product's own tool writes neither hashes nor, in old databases, names. */
const versionedRow = z.object({
  version: z.string(),
  name: z.string().nullable(),
  hash: z.string().nullable().default(null),
})

export type AppliedFiles = Map<string, { name: string | null; hash: string | null }>

export interface Records {
  releases: Release[]
  /** Applied versioned files by source and version. */
  versioned: Map<string, AppliedFiles>
  repeatable: Map<string, Map<string, { hash: string; objects: RecordedObject[] }>>
  /** Newest hash of the backend's SQL that a version before 1.0 recorded. */
  bootstrapHash: string | null
}

/** Reads only, so that a refused database stays unchanged. */
export async function readRecords(client: ClientBase, sources: Source[]): Promise<Records> {
  const releases = await rowsOf(client, releaseRow, 'releases')
  const repeatable = await rowsOf(client, repeatableRow, 'repeatable_files')
  const bootstrap = await rowsOf(client, bootstrapRow, 'bootstrap_versions')
  const newest = bootstrap.toSorted((a, b) => b.applied_at.getTime() - a.applied_at.getTime())[0]
  const records: Records = {
    releases: releases.map((row) => ({ version: row.version, compatibleFrom: row.compatible_from })),
    versioned: new Map(),
    repeatable: new Map(),
    bootstrapHash: newest?.version ?? null,
  }
  for (const source of sources) {
    const rows = await rowsOf(client, versionedRow, source.records)
    records.versioned.set(
      source.name,
      new Map(rows.map(({ version, name, hash }) => [version, { name, hash }])),
    )
    const own = repeatable.filter((row) => row.source === source.name)
    records.repeatable.set(source.name, new Map(own.map((row) => [row.path, row])))
  }
  return records
}

/** Creates the record tables. The hosted product's own tool reads and writes `schema_migrations`, too. */
export async function createRecords(client: ClientBase, sources: Source[]): Promise<void> {
  if (!(await exists(client, 'releases'))) {
    await client.query(`
      create schema if not exists supabase_migrations;
      create table supabase_migrations.releases (
        version         text primary key,
        compatible_from text not null,
        applied_at      timestamptz not null default now()
      );
      create table supabase_migrations.repeatable_files (
        source  text,
        path    text,
        hash    text not null,
        objects jsonb not null,
        primary key (source, path)
      );
      grant all on supabase_migrations.releases, supabase_migrations.repeatable_files to postgres`)
  }
  for (const { records } of sources) {
    const table = tableOf(records)
    // Skips the `alter table` when possible: it requires the table's owner, which may be another role.
    if (await hasHashes(client, records)) continue
    await client.query(`
      create table if not exists ${table} (version text primary key, statements text[], name text);
      alter table ${table} add column if not exists hash text;
      grant all on ${table} to postgres`)
  }
}

async function hasHashes(client: ClientBase, records: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass($1) and attname = 'hash'`,
    [tableOf(records)],
  )
  return rowCount === 1
}

export async function recordVersioned(
  client: ClientBase,
  source: Source,
  file: VersionedFile,
): Promise<void> {
  await client.query(
    `insert into ${tableOf(source.records)} (version, statements, name, hash) values ($1, $2, $3, $4)`,
    [file.version, [file.sql], file.name, file.hash],
  )
}

/** Replaces the records of a source's repeatable files, except of managed subjects. */
export async function recordRepeatable(
  client: ClientBase,
  source: Source,
  applied: { files: SqlFile[]; definitions: Definition[]; managed: Set<string> },
): Promise<void> {
  await client.query(
    `delete from supabase_migrations.repeatable_files where source = $1 and split_part(path, '/', 1) <> all ($2)`,
    [source.name, [...applied.managed]],
  )
  const rows = applied.files.map((file) => ({
    path: file.path,
    hash: file.hash,
    objects: applied.definitions
      .filter((definition) => definition.file === file)
      .map(({ kind, identity, hash, undo, target }) => ({ kind, identity, hash, undo, target })),
  }))
  await client.query(
    `insert into supabase_migrations.repeatable_files (source, path, hash, objects)
    select $1, row.path, row.hash, row.objects
    from json_to_recordset($2) as row (path text, hash text, objects jsonb)`,
    [source.name, JSON.stringify(rows)],
  )
}

export async function recordRelease(client: ClientBase, release: Release): Promise<void> {
  await client.query(
    `insert into supabase_migrations.releases (version, compatible_from) values ($1, $2)
    on conflict (version) do update set compatible_from = excluded.compatible_from
    where releases.compatible_from <> excluded.compatible_from`,
    [release.version, release.compatibleFrom],
  )
}

function tableOf(name: string): string {
  return `supabase_migrations.${escapeIdentifier(name)}`
}

async function rowsOf<Row extends z.ZodType>(
  client: ClientBase,
  row: Row,
  table: string,
): Promise<z.infer<Row>[]> {
  return (await exists(client, table)) ? selectRows(client, row, [`select * from ${tableOf(table)}`]) : []
}

async function exists(client: ClientBase, table: string): Promise<boolean> {
  const { rowCount } = await client.query('select where to_regclass($1) is not null', [tableOf(table)])
  return rowCount === 1
}
