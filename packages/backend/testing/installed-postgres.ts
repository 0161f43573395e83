import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { commandFor, createOwnedFolder, prepareInstallation } from '#backend/database/installation.ts'
import { findPostmaster } from '#backend/database/postmaster.ts'
import { endWithThisProcess } from './end-with-parent.ts'
import { freePort } from './running-process.ts'

/** Where Debian's packages put each major version. */
const VERSIONS = '/usr/lib/postgresql'
/** With characters that an address must encode. */
const PASSWORD = 'p@ss word%'

export interface InstalledPostgres {
  /** Of its superuser `operator`. */
  url: string
  stop(): Promise<void>
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
export async function startInstalledPostgres(binaries: string): Promise<InstalledPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'installed-postgres-'))
  await chmod(folder, 0o711)
  const installation = await prepareInstallation(binaries, folder)
  const { data } = installation
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  await createOwnedFolder(installation, data)
  const initdb = commandFor(installation, 'initdb', [
    `--pgdata=${data}`,
    '--username=operator',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ])
  await promisify(execFile)(initdb.command, initdb.args, { ...initdb.identity, cwd: data })

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const options = settings.flatMap((setting) => ['-c', setting])
  const { command, args, identity } = commandFor(installation, 'postgres', ['-D', data, ...options])
  const server = spawn(command, args, { ...identity, cwd: data, stdio: 'ignore' })
  const ended = once(server, 'exit')
  while (!(await findPostmaster(data))?.isReady) {
    if (server.exitCode !== null) throw new Error(`${command} ended with code ${server.exitCode}`)
    await pause(10)
  }
  await endWithThisProcess(folder)
  return {
    url: `postgresql://operator:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
