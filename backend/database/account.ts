import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { access, chown, cp, mkdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const SYSTEM_USER = 'embedded-postgres'
const SYSTEM_FOLDER = '/var/lib/embedded-postgres'

interface Account {
  uid: number
  gid: number
}

/** Where PostgreSQL's programs and its data lie, and as whom it runs: `null` is whoever runs this process. */
export interface Quarters {
  binaries: string
  data: string
  account: Account | null
  /** The account may read what its user may not: the checkout of a root user, say. */
  mayReadAll: boolean
}

/**
 * PostgreSQL refuses to run as root, so under root it gets a system user of its own, or stays with the user whose data it is.
 * That user cannot enter `/root`. Where Linux allows it, the programs run with the one capability that lets them pass
 * (`dac_read_search`); in a container without it, programs and data move to a folder of the system and a link stays behind.
 */
export async function settleIn(binaries: string, folder: string): Promise<Quarters> {
  const data = await dataPath(folder)
  if (process.getuid?.() !== 0) return { binaries, data, account: null, mayReadAll: false }

  const account = await accountFor(data)
  if ((await isOpenToAll(binaries)) && (await isOpenToAll(dirname(data)))) {
    return { binaries, data, account, mayReadAll: false }
  }
  if (await capabilityOpens(binaries, account)) return { binaries, data, account, mayReadAll: true }
  return moveToSystemFolder({ binaries, data, account, mayReadAll: false }, folder)
}

/** Follows the link that `moveToSystemFolder` leaves, even before there is anything at its end. */
export async function dataPath(folder: string): Promise<string> {
  const path = join(folder, 'postgres')
  return readlink(path).catch(() => path)
}

/** The command that runs one of PostgreSQL's programs in its quarters, for `child_process.spawn`. */
export function commandIn(quarters: Quarters, program: string, args: string[]) {
  const { account, binaries, mayReadAll } = quarters
  const path = join(binaries, 'bin', program)
  if (!account) return { command: path, args, identity: {} }
  if (!mayReadAll) return { command: path, args, identity: account }
  return { command: 'setpriv', args: [...readAllAs(account), path, ...args], identity: {} }
}

/** Makes a folder that belongs to PostgreSQL's account. */
export async function makeFolderIn(quarters: Quarters, path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (quarters.account) await chown(path, quarters.account.uid, quarters.account.gid)
}

/**
 * `no_setuid_fixup` is not decoration: without it access(2), which PostgreSQL uses to find its own programs,
 * forgets the capability as soon as the user is not root.
 */
function readAllAs({ uid, gid }: Account): string[] {
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
  const probe = [...readAllAs(account), 'test', '-x', join(binaries, 'bin', 'postgres')]
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

/** True when every folder on the way may be entered by any user. */
async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return false
  return path === dirname(path) || isOpenToAll(dirname(path))
}

async function moveToSystemFolder(quarters: Quarters, folder: string): Promise<Quarters> {
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  const version = createHash('sha256').update(await readFile(join(quarters.binaries, 'bin', 'postgres')))
  const binaries = join(SYSTEM_FOLDER, `programs-${version.digest('hex').slice(0, 12)}`)
  if (!(await exists(binaries))) {
    const unfinished = `${binaries}.${process.pid}`
    await cp(quarters.binaries, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, binaries)
  }

  if (await isOpenToAll(dirname(quarters.data))) return { ...quarters, binaries }
  // A new name each time: a data folder that was deleted and made again must not find the old one's tables.
  const data = join(SYSTEM_FOLDER, `data-${randomUUID()}`)
  if (await exists(quarters.data)) {
    await run('cp', ['--archive', quarters.data, data])
    await rm(quarters.data, { recursive: true })
  }
  await symlink(data, join(folder, 'postgres'))
  return { ...quarters, binaries, data }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
