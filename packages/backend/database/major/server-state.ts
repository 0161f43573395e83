import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import { z } from 'zod'
import { selectRow, selectRows } from '../select-rows.ts'

const passwordRow = z.object({ role: z.string(), password: z.string() })

/** Copies the hashes of the roles' passwords. */
export async function copyPasswords(source: ClientBase, target: ClientBase): Promise<void> {
  const rows = await selectRows(source, passwordRow, [
    'select rolname as role, rolpassword as password from pg_authid where rolpassword is not null',
  ])
  for (const { role, password } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await target.query(`alter role ${escapeIdentifier(role)} password ${escapeLiteral(password)}`)
  }
}

const settingsRow = z.object({
  role: z.string().nullable(),
  database: z.string().nullable(),
  settings: z.array(z.string()),
})

const SETTINGS = `
  select r.rolname as role, d.datname as database, s.setconfig as settings
  from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole left join pg_database d on d.oid = s.setdatabase`

/** Settings whose stored value is a list of quoted names; PostgreSQL would take a literal for one name. */
const LISTS = new Set([
  'local_preload_libraries',
  'search_path',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
])

/** Copies the settings of roles and databases, and resets those that only the target has. */
export async function copySettings(source: ClientBase, target: ClientBase): Promise<void> {
  const statements = [
    ...(await selectRows(target, settingsRow, [SETTINGS])).map((row) => `${ownerOf(row)} reset all`),
    ...(await selectRows(source, settingsRow, [SETTINGS])).flatMap((row) =>
      row.settings.map((setting) => `${ownerOf(row)} set ${assignment(setting)}`),
    ),
  ]
  await target.query(statements.join(';\n'))
}

function ownerOf({ role, database }: z.infer<typeof settingsRow>): string {
  if (!role) return `alter database ${escapeIdentifier(database ?? '')}`
  return `alter role ${escapeIdentifier(role)}${database ? ` in database ${escapeIdentifier(database)}` : ''}`
}

function assignment(setting: string): string {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? []
  const quoted = name.split('.').map(escapeIdentifier).join('.')
  return `${quoted} = ${LISTS.has(name) ? value : escapeLiteral(value)}`
}

const recordsRow = z.object({ rows: z.string() })
const tableRow = z.object({ name: z.string() })

/** Copies the records of the files, seeds and releases that the database and its job queue have received, with their times. */
export async function copyUpgradeRecords(source: ClientBase, target: ClientBase): Promise<void> {
  const tables = await selectRows(target, tableRow, [
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'supabase_migrations' or (schemaname, tablename) = ('graphile_worker', 'migrations')`,
  ])
  for (const { name } of tables) {
    // oxlint-disable no-await-in-loop -- one connection
    const { rows } = await selectRow(source, recordsRow, [
      `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
    ])
    await target.query(`delete from ${name}`)
    await target.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [rows])
    // oxlint-enable no-await-in-loop
  }
}
