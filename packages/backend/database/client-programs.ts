import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** Parameters that libpq knows; node-postgres has others, which libpq refuses. */
const LIBPQ_PARAMETERS = new Set(['host', 'options', 'sslcert', 'sslkey', 'sslmode', 'sslrootcert'])

export interface Command {
  command: string
  args: string[]
  /** That of this process by default. */
  env?: NodeJS.ProcessEnv
}

/** Returns the path of a program of PostgreSQL in exactly this major version; null when none of the folders has it. */
export async function findClientProgram(
  name: 'pg_dump' | 'pg_restore',
  major: number,
  folders = programFolders(major),
): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name)
    if ((await majorOf(path)) === major) return path
  }
  return null
}

/** Passes the password in the environment: every user of the machine can read the arguments of its processes. */
export function clientCommand(command: string, args: string[], url: string): Command {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const { searchParams } = address
  const isEncrypted =
    searchParams.get('sslmode') === 'no-verify' || /^(1|true)$/.test(searchParams.get('ssl') ?? '')
  if (isEncrypted) searchParams.set('sslmode', 'require')
  for (const name of Array.from(searchParams.keys())) {
    if (!LIBPQ_PARAMETERS.has(name)) searchParams.delete(name)
  }
  // URLSearchParams writes a space as a plus sign, which libpq takes for itself.
  address.search = address.search.replaceAll('+', '%20')
  return {
    command,
    args: [...args, '--no-password', `--dbname=${address.href}`],
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
  }
}

/** Debian's programs in PATH choose among the installed versions, so the folder of the version comes first. */
function programFolders(major: number): string[] {
  return [`/usr/lib/postgresql/${major}/bin`, ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)]
}

async function majorOf(program: string): Promise<number | null> {
  return promisify(execFile)(program, ['--version']).then(
    ({ stdout }) => Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]),
    () => null,
  )
}
