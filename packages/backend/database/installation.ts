import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chown, cp, mkdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { exists } from '#backend/process/exists.ts'

const run = promisify(execFile)

/** Holds the port that a shared PostgreSQL keeps. */
export const PORT_FILE = 'postgres.port'

const SYSTEM_USER = 'embedded-postgres'
const SYSTEM_FOLDER = '/var/lib/embedded-postgres'

interface Account {
  uid: number
  gid: number
}

/** Paths of PostgreSQL's programs and data, and the account it runs as; null is the user of this process. */
export interface Installation {
  binaries: string
  data: string
  account: Account | null
  /** Programs run with `dac_read_search`, because their folder is closed to the account (root's checkout, for instance). */
  usesReadCapability: boolean
}

/**
 * Finds or creates an account that PostgreSQL can run as, and makes its programs and data accessible to that account.
 *
 * PostgreSQL refuses to run as root: under root it runs as the owner of existing data or as a system user, which cannot enter
 * `/root`. Where Linux allows it, the programs get the capability `dac_read_search`; in a container without it, programs and
 * data move to a system folder and leave a symbolic link.
 */
export async function prepareInstallation(binaries: string, folder: string): Promise<Installation> {
  const data = await dataPath(folder)
  if (process.getuid?.() !== 0) return { binaries, data, account: null, usesReadCapability: false }

  const account = await accountFor(data)
  if ((await isOpenToAll(binaries)) && (await isOpenToAll(dirname(data)))) {
    return { binaries, data, account, usesReadCapability: false }
  }
  if (await capabilityOpens(binaries, account)) return { binaries, data, account, usesReadCapability: true }
  return moveToSystemFolder({ binaries, data, account, usesReadCapability: false }, folder)
}

/** Follows the link that `moveToSystemFolder` creates, even while its target does not exist. */
export async function dataPath(folder: string): Promise<string> {
  const path = join(folder, 'postgres')
  return readlink(path).catch(() => path)
}

/** Returns the major version of the PostgreSQL that a data folder's database belongs to; undefined without a database. */
export async function clusterMajor(folder: string): Promise<number | undefined> {
  const version = await readFile(join(await dataPath(folder), 'PG_VERSION'), 'utf8').catch(() => null)
  return version === null ? undefined : Number.parseInt(version, 10)
}

/** Returns the arguments of `child_process.spawn` for one of PostgreSQL's programs. */
export function commandFor(installation: Installation, program: string, args: string[]) {
  const { account, binaries, usesReadCapability } = installation
  const path = join(binaries, 'bin', program)
  if (!account) return { command: path, args, identity: {} }
  if (!usesReadCapability) return { command: path, args, identity: account }
  return { command: 'setpriv', args: [...readCapabilityArguments(account), path, ...args], identity: {} }
}

/** Creates a folder that belongs to PostgreSQL's account. */
export async function createOwnedFolder(installation: Installation, path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (installation.account) await chown(path, installation.account.uid, installation.account.gid)
}

/**
 * `no_setuid_fixup` is required: without it, access(2), which PostgreSQL uses to find its own programs, ignores the capability
 * for users other than root.
 */
function readCapabilityArguments({ uid, gid }: Account): string[] {
  const capability = '-all,+dac_read_search'
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
  ]
}

async function capabilityOpens(binaries: string, account: Account): Promise<boolean> {
  const probe = [...readCapabilityArguments(account), 'test', '-x', join(binaries, 'bin', 'postgres')]
  return run('setpriv', probe).then(
    () => true,
    () => false,
  )
}

async function accountFor(data: string): Promise<Account> {
  const owner = await stat(data).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const existing = await findSystemUser()
  if (existing) return existing
  await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    SYSTEM_USER,
  ])
  const created = await findSystemUser()
  if (!created)
    throw new Error(`cannot create the system user ${SYSTEM_USER} that PostgreSQL runs as under root`)
  return created
}

async function findSystemUser(): Promise<Account | null> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === SYSTEM_USER)
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : null
}

/** Whether any user may enter every folder of the path. */
async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return false
  return path === dirname(path) || isOpenToAll(dirname(path))
}

async function moveToSystemFolder(installation: Installation, folder: string): Promise<Installation> {
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  const version = createHash('sha256').update(await readFile(join(installation.binaries, 'bin', 'postgres')))
  const binaries = join(SYSTEM_FOLDER, `programs-${version.digest('hex').slice(0, 12)}`)
  if (!(await exists(binaries))) {
    const unfinished = `${binaries}.${process.pid}`
    await cp(installation.binaries, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, binaries)
  }

  if (await isOpenToAll(dirname(installation.data))) return { ...installation, binaries }
  // A random name: a data folder that is deleted and recreated must not find the old database.
  const data = join(SYSTEM_FOLDER, `data-${randomUUID()}`)
  if (await exists(installation.data)) {
    await run('cp', ['--archive', installation.data, data])
    await rm(installation.data, { recursive: true })
  }
  await symlink(data, join(folder, 'postgres'))
  return { ...installation, binaries, data }
}
