import type { ClientBase } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { isEmptyDatabase } from '../is-empty.ts'
import { selectRow, selectRows } from '../select-rows.ts'
import type { CopiedTable } from './tables.ts'

/** Key of the advisory lock that a copy holds on its target; arbitrary, but equal in every process. */
const COPY_LOCK = 7_258_374

const existsRow = z.object({ exists: z.boolean() })
const lockRow = z.object({ isLocked: z.boolean() })
const arrangedRow = z.object({ isArranged: z.boolean() })
const sourceRow = z.object({ source: z.string() })
const progressRow = z.object({ name: z.string(), next_block: z.number(), is_done: z.boolean() })
const statementRow = z.object({ statement: z.string() })

export type TableProgress = z.infer<typeof progressRow>

/** Whether a copy into this database was begun and not finished. */
export async function holdsUnfinishedCopy(client: ClientBase): Promise<boolean> {
  const { exists } = await selectRow(client, existsRow, [
    `select to_regnamespace('database_copy') is not null as exists`,
  ])
  return exists
}

/**
 * Marks an empty database as the target of a copy from `source`; a target that was marked before is continued. Throws for any
 * other database.
 */
export async function claimTarget(client: ClientBase, source: string): Promise<void> {
  const { isLocked } = await selectRow(client, lockRow, [
    `select pg_try_advisory_lock($1) as "isLocked"`,
    COPY_LOCK,
  ])
  if (!isLocked) throw new DatabaseProblem('another process is copying into the same target: wait for it')
  if ((await requireCopyTarget(client, source)) === 'continued') return
  await client.query(`
    begin;
    create schema database_copy;
    create table database_copy.begun (source text not null, is_arranged boolean not null default false);
    create table database_copy.tables (
      name text primary key, next_block integer not null default 0, is_done boolean not null default false
    );
    create table database_copy.restorations (id integer generated always as identity, statement text not null)`)
  await client.query('insert into database_copy.begun (source) values ($1)', [source])
  await client.query('commit')
}

/**
 * Empties the target's tables and suspends what would act on copied rows: foreign keys, because tables refer to each other in
 * circles, and triggers. Only the tables' owner is needed for this. The statements that restore them are stored first.
 */
export async function arrangeTarget(client: ClientBase, tables: CopiedTable[]): Promise<void> {
  const { isArranged } = await selectRow(client, arrangedRow, [
    'select is_arranged as "isArranged" from database_copy.begun',
  ])
  if (isArranged) return
  const names = tables.map(({ name }) => name)
  await client.query(`begin; set local search_path = ''`)
  await client.query(
    `insert into database_copy.restorations (statement) select statement from (${RESTORATIONS}) as all_of_them order by part`,
    [names],
  )
  const suspensions = await selectRows(client, statementRow, [SUSPENSIONS, names])
  await client.query(suspensions.map(({ statement }) => statement).join(';\n'))
  await client.query(`truncate ${names.join(', ')}`)
  await client.query('insert into database_copy.tables (name) select unnest($1::text[])', [names])
  await client.query('update database_copy.begun set is_arranged = true; commit')
}

/** Returns whether a copy would begin or continue; throws when the database is neither empty nor the target of this copy. */
export async function requireCopyTarget(
  client: ClientBase,
  source: string,
  advice = 'choose an empty database',
): Promise<'empty' | 'continued'> {
  if (await holdsUnfinishedCopy(client)) {
    const own = await selectRow(client, sourceRow, ['select source from database_copy.begun'])
    if (own.source === source) return 'continued'
    throw new DatabaseProblem(
      'the target holds an unfinished copy of another database: choose an empty database',
    )
  }
  if (await isEmptyDatabase(client)) return 'empty'
  throw new DatabaseProblem(`the target is not empty: ${advice}`)
}

const SUSPENDED = `
  select c.oid, format('%I.%I', n.nspname, c.relname) as name
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where format('%I.%I', n.nspname, c.relname) = any ($1)`

const RESTORATIONS = `
  with suspended as (${SUSPENDED})
  select 1 as part, format('alter table %s add constraint %I %s', s.name, k.conname, pg_catalog.pg_get_constraintdef(k.oid)) as statement
  from pg_catalog.pg_constraint k join suspended s on s.oid = k.conrelid
  where k.contype = 'f' and k.conparentid = 0
  union all
  select 2, format('comment on constraint %I on %s is %L', k.conname, s.name, d.description)
  from pg_catalog.pg_constraint k
  join suspended s on s.oid = k.conrelid
  join pg_catalog.pg_description d on d.objoid = k.oid and d.classoid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
  where k.contype = 'f' and k.conparentid = 0
  union all
  select 3, format('alter table %s enable %s trigger %I', s.name,
    case t.tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, t.tgname)
  from pg_catalog.pg_trigger t join suspended s on s.oid = t.tgrelid
  where not t.tgisinternal and t.tgenabled <> 'D'`

const SUSPENSIONS = `
  with suspended as (${SUSPENDED})
  select format('alter table %s drop constraint %I', s.name, k.conname) as statement
  from pg_catalog.pg_constraint k join suspended s on s.oid = k.conrelid
  where k.contype = 'f' and k.conparentid = 0
  union all
  select distinct format('alter table %s disable trigger user', s.name)
  from pg_catalog.pg_trigger t join suspended s on s.oid = t.tgrelid
  where not t.tgisinternal`

export function readProgress(client: ClientBase): Promise<TableProgress[]> {
  return selectRows(client, progressRow, ['select name, next_block, is_done from database_copy.tables'])
}

/** Lets a table be copied again from its first row. */
export async function restartTable(client: ClientBase, name: string): Promise<void> {
  await client.query('begin')
  await client.query(`truncate ${name}`)
  await client.query('update database_copy.tables set next_block = 0, is_done = false where name = $1', [
    name,
  ])
  await client.query('commit')
}

/** Restores what `arrangeTarget` suspended, which checks every foreign key, and removes the mark: all or nothing. */
export async function finishTarget(client: ClientBase): Promise<void> {
  const statements = await selectRows(client, statementRow, [
    'select statement from database_copy.restorations order by id',
  ])
  await client.query('begin')
  for (const { statement } of statements) {
    // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
    await client.query(statement)
  }
  await client.query('drop schema database_copy cascade; commit')
  // The copy is complete. Without statistics it is only slower, until autovacuum makes them.
  await client.query('analyze').catch(() => undefined)
}
