import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@saltfreak/backend/testing'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '..')

export interface InstalledShop {
  /** In place of /opt/saltfreak. */
  home: string
  dataDir: string
  /** In place of 3001 and 3002. */
  ports: [number, number]
  /** Variables of the scripts. */
  environment: Record<string, string>
  /** Writes an archive as `npm run release` does, with these files and links. */
  archive(version: string, release: ReleaseContent): Promise<string>
  /** Unpacks an archive's release as the first one and starts it. */
  start(version: string, release: ReleaseContent): Promise<void>
  /** Runs `deploy/update` or `deploy/rollback`. Returns exit code and output. */
  deploy(command: 'update' | 'rollback', ...args: string[]): Promise<{ code: number; output: string }>
  /** A shipped file with the folders and ports of this installation. */
  adapted(file: string): Promise<string>
  /** The services that start with the machine. */
  enabled(): Promise<string[]>
  /** What a service has printed. */
  log(service: string): Promise<string>
  close(): Promise<void>
}

export interface ReleaseContent {
  compatibleFrom?: string
  /** Fills the release's folder, besides `deploy/`. */
  fill(this: void, folder: string): Promise<void>
}

/** The shop itself, from the existing build: files that know their version are copied, the others are linked. */
export const shopRelease: ReleaseContent = {
  async fill(folder) {
    const copied =
      'server.ts shop.config.ts server domain emails payments supabase scripts package.json'.split(' ')
    await Promise.all(copied.map((name) => cp(join(project, name), join(folder, name), { recursive: true })))
    const linked = ['node_modules', 'assets', 'packages', 'build']
    await Promise.all(linked.map((name) => symlink(join(project, name), join(folder, name))))
  },
}

/**
 * An installation in a temporary folder, with the shipped scripts and units. Its `systemctl` starts and stops the units' programs: the
 * machine that runs the tests has no systemd, or one that is not the tests'.
 */
export async function installShop(settings: Record<string, string> = {}): Promise<InstalledShop> {
  const home = await mkdtemp(join(tmpdir(), 'installed-shop-'))
  const dataDir = join(home, 'data')
  const ports: [number, number] = [await freePort(), await freePort()]
  const bin = join(home, 'bin')
  await Promise.all(
    ['releases', 'switch', 'bin', 'run', 'units', 'data'].map((name) => mkdir(join(home, name))),
  )
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(home, 'shop.env'), lines.join(''))

  const adapted = (file: string) => adaptShipped(file, { home, dataDir, ports })
  for (const unit of ['saltfreak@.service', 'saltfreak-database.service']) {
    // oxlint-disable-next-line no-await-in-loop -- two files
    await writeFile(join(home, 'units', unit), await adapted(`systemd/${unit}`))
  }
  await writeFile(join(bin, 'systemctl'), SYSTEMCTL.replaceAll('@home@', home), { mode: 0o755 })

  const env: Record<string, string> = {
    PATH: `${bin}:${process.env.PATH}`,
    SALTFREAK_HOME: home,
    SALTFREAK_SETTINGS: join(home, 'shop.env'),
    SALTFREAK_FIRST_PORT: String(ports[0]),
    SALTFREAK_SECOND_PORT: String(ports[1]),
    SALTFREAK_READY_SECONDS: '60',
    SALTFREAK_DRAIN_SECONDS: '0',
  }
  const systemctl = (...args: string[]) => run(join(bin, 'systemctl'), args, { env })

  async function make(version: string, { fill, compatibleFrom = '1.0.0' }: ReleaseContent): Promise<string> {
    const folder = join(home, `made-${version}`)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await fill(folder)
    await cp(join(project, 'deploy'), join(folder, 'deploy'), { recursive: true, force: false })
    await setVersion(join(folder, 'package.json'), version, compatibleFrom)
    await writeFile(join(folder, 'release.json'), JSON.stringify({ version, compatibleFrom }, null, 2))
    const sums = await Promise.all(
      ['release.json', 'deploy/start'].map(async (name) => {
        const hash = createHash('sha256')
          .update(await readFile(join(folder, name)))
          .digest('hex')
        return `${hash}  ${name}\n`
      }),
    )
    await writeFile(join(folder, 'SHA256SUMS'), sums.join(''))
    return folder
  }

  return {
    home,
    dataDir,
    ports,
    environment: env,
    adapted,
    async archive(version, release) {
      const folder = await make(version, release)
      const path = `${folder}.tar`
      await run('tar', ['-cf', path, '-C', home, `made-${version}`])
      return path
    },
    async start(version, release) {
      const folder = join(home, 'releases', version)
      await cp(await make(version, release), folder, { recursive: true, verbatimSymlinks: true })
      await symlink(folder, join(home, 'database'))
      await symlink(folder, join(home, String(ports[0])))
      await systemctl('start', 'saltfreak-database')
      await systemctl('start', `saltfreak@${ports[0]}`)
    },
    deploy: (command, ...args) =>
      run(join(project, 'deploy', command), args, { env }).then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          code: error.code,
          output: error.stdout + error.stderr,
        }),
      ),
    async enabled() {
      const names = await readdir(join(home, 'run'))
      return names.filter((name) => name.endsWith('.enabled')).map((name) => name.replace('.enabled', ''))
    },
    log: (service) => readFile(join(home, 'run', `${service}.log`), 'utf8').catch(() => ''),
    async close() {
      const running = (await readdir(join(home, 'run'))).filter((name) => name.endsWith('.pid'))
      const services = running.map((name) => name.replace('.pid', ''))
      const shops = services.filter((name) => name.includes('@'))
      await Promise.all(shops.map((name) => systemctl('stop', name)))
      await systemctl('stop', 'saltfreak-database')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Returns a file of `deploy/` with the folders and ports of an installation. */
export async function adaptShipped(
  file: string,
  { home, dataDir, ports }: Pick<InstalledShop, 'home' | 'dataDir' | 'ports'>,
): Promise<string> {
  const text = await readFile(join(project, 'deploy', file), 'utf8')
  return text
    .replaceAll('/etc/saltfreak', home)
    .replaceAll('/etc/systemd/system', join(home, 'units'))
    .replaceAll('/usr/local/sbin', join(home, 'bin'))
    .replaceAll('/var/lib/saltfreak', dataDir)
    .replaceAll('/opt/saltfreak', home)
    .replaceAll('3001', String(ports[0]))
    .replaceAll('3002', String(ports[1]))
}

async function setVersion(path: string, version: string, compatibleFrom: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  await writeFile(path, JSON.stringify({ ...JSON.parse(text), version, compatibleFrom }, null, 2))
}

/** Starts what the unit's `ExecStart` says with its `Environment`; a started service is restarted by nobody. */
const SYSTEMCTL = `#!/bin/bash
verb=$1
unit=\${@: -1}
instance=\${unit#*@}
pid=$(cat "@home@/run/$unit.pid" 2>/dev/null)
case $verb in
start)
  case $unit in *@*) file="@home@/units/saltfreak@.service" ;; *) file="@home@/units/$unit.service" ;; esac
  environment=$(sed -n 's/^Environment=//p' "$file" | sed "s/%i/$instance/")
  command=$(sed -n 's/^ExecStart=//p' "$file" | sed "s/%i/$instance/")
  setsid env -i PATH="$PATH" $environment $command >>"@home@/run/$unit.log" 2>&1 </dev/null &
  echo $! >"@home@/run/$unit.pid"
  # As Type=notify, which nothing but a database needs here.
  [ "$unit" != saltfreak-database ] || until grep -qs 'is running' "@home@/run/$unit.log"; do kill -0 $! || exit 1; sleep 0.05; done
  ;;
stop)
  [ -n "$pid" ] || exit 0
  kill "$pid" 2>/dev/null
  # An ended process stays a zombie until process 1 collects it, which takes seconds in some containers.
  while grep -qs '^State:.[^Z]' "/proc/$pid/status"; do sleep 0.05; done
  rm -f "@home@/run/$unit.pid"
  ;;
enable) touch "@home@/run/$unit.enabled" ;;
disable) rm -f "@home@/run/$unit.enabled" ;;
esac
`
