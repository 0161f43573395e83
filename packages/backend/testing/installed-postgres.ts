import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  commandFor,
  createOwnedFolder,
  type Installation,
  prepareInstallation,
} from '#backend/database/installation.ts'
import { findPostmaster } from '#backend/database/postmaster.ts'
import { endWithThisProcess } from './end-with-parent.ts'
import { freePort } from '#backend/process/free-port.ts'

/** Where Debian's packages put each major version. */
const VERSIONS = '/usr/lib/postgresql'
/** With characters that an address must encode. */
const PASSWORD = 'p@ss word%'

export interface InstalledPostgres {
  /** Of its superuser `operator`. */
  url: string
  stop(): Promise<void>
  /** Ends it as a lost machine would. */
  kill(): Promise<void>
}

/** Returns the folder of the newest PostgreSQL that the system's packages installed, with `pg_dump`; null without one. */
export async function findInstalledPostgres(): Promise<string | null> {
  const versions = await readdir(VERSIONS).catch((): string[] => [])
  const folders = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(VERSIONS, version))
  return folders.find(isComplete) ?? null
}

function isComplete(folder: string): boolean {
  return ['postgres', 'pg_dump'].every((program) => existsSync(join(folder, 'bin', program)))
}

/** Starts it on a temporary folder, as a server that the backend does not run. It ends with this process. */
export async function startInstalledPostgres(
  binaries: string,
  settings: string[] = [],
): Promise<InstalledPostgres> {
  const { folder, installation } = await newInstallation(binaries)
  const { data } = installation
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  await createOwnedFolder(installation, data)
  await run(installation, 'initdb', [
    `--pgdata=${data}`,
    '--username=operator',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ])
  return launch(folder, installation, settings)
}

/** Starts a hot standby that follows a server. `select pg_promote()` makes it the primary. */
export async function startStandby(binaries: string, primaryUrl: string): Promise<InstalledPostgres> {
  const { folder, installation } = await newInstallation(binaries)
  const { port } = new URL(primaryUrl)
  await createOwnedFolder(installation, installation.data)
  const connection = `host=127.0.0.1 port=${port} user=operator password='${PASSWORD}' application_name=standby`
  const copy = ['--pgdata', installation.data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
  await run(installation, 'pg_basebackup', [...copy, `--dbname=${connection}`])
  return launch(folder, installation, [])
}

async function newInstallation(binaries: string) {
  const folder = await mkdtemp(join(tmpdir(), 'installed-postgres-'))
  await chmod(folder, 0o711)
  return { folder, installation: await prepareInstallation(binaries, folder) }
}

async function run(installation: Installation, program: string, args: string[]): Promise<void> {
  const { command, args: all, identity } = commandFor(installation, program, args)
  await promisify(execFile)(command, all, { ...identity, cwd: installation.data })
}

async function launch(
  folder: string,
  installation: Installation,
  more: string[],
): Promise<InstalledPostgres> {
  const { data } = installation
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'fsync=off',
    ...more,
  ]
  const options = settings.flatMap((setting) => ['-c', setting])
  const { command, args, identity } = commandFor(installation, 'postgres', ['-D', data, ...options])
  const server = spawn(command, args, { ...identity, cwd: data, stdio: 'ignore' })
  const ended = once(server, 'exit')
  while (!(await findPostmaster(data))?.isReady) {
    if (server.exitCode !== null) throw new Error(`${command} ended with code ${server.exitCode}`)
    await pause(10)
  }
  await endWithThisProcess(folder)
  async function end(signal: 'SIGINT' | 'SIGKILL') {
    server.kill(signal)
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  return {
    url: `postgresql://operator:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  }
}
