import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@saltfreak/backend/testing'
import type { InstalledShop } from './installed-shop.ts'

export type ProxyName = 'nginx' | 'caddy'

export interface ShopProxy {
  port: number
  /** What it has printed: nginx names each request that a process did not answer. */
  output(this: void): string
  close(this: void): Promise<void>
}

/** Only root could listen on it. */
const CLOSED_PORT = 1

type BehindProxy = Pick<InstalledShop, 'home' | 'adapted'>

export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0
}

/**
 * Starts the real proxy with the shipped configuration, on a free port of this machine and without TLS: tests have no certificate that
 * the shop's clients accept.
 */
export async function startProxy(name: ProxyName, shop: BehindProxy, port: number): Promise<ShopProxy> {
  return opened(name === 'nginx' ? await startNginxOfOne(shop, port) : await startCaddy(shop, port), port)
}

interface Balancer extends ShopProxy {
  /** The process id of nginx. */
  pid: number | undefined
}

/**
 * Starts nginx in front of several machines of the shop, with the shipped configuration. A machine is two ports of this one, on which its
 * versions alternate; nothing listens on one that is left out.
 */
export async function startBalancer(machines: number[][], port: number): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'balancer-'))
  const shipped = await readFile(
    resolve(import.meta.dirname, '../deploy/nginx/several-machines.conf'),
    'utf8',
  )
  const site = shipped.replaceAll(
    /10\.0\.0\.1(\d):300(\d)/g,
    (_, machine, version) => `127.0.0.1:${machines[machine - 1]?.[version - 1] ?? CLOSED_PORT}`,
  )
  const nginx = await startNginx(folder, { site, port })
  const { close, output } = await opened(nginx, port)
  return { port, pid: nginx.pid, output, close: () => close().then(() => rm(folder, { recursive: true })) }
}

async function opened(proxy: ChildProcess, port: number): Promise<ShopProxy> {
  const ended = once(proxy, 'exit')
  let output = ''
  proxy.stderr?.on('data', (chunk) => (output += String(chunk)))
  while (!(await answers(port))) {
    if (proxy.exitCode !== null) throw new Error(`${proxy.spawnfile} did not start:\n${output}`)
    await pause(20)
  }
  return {
    port,
    output: () => output,
    async close() {
      proxy.kill('SIGTERM')
      await ended
    },
  }
}

async function startNginxOfOne(shop: BehindProxy, port: number): Promise<ChildProcess> {
  const folder = join(shop.home, 'nginx')
  await mkdir(folder)
  return startNginx(folder, { site: await shop.adapted('nginx/saltfreak.conf'), port })
}

async function startNginx(
  folder: string,
  { site, port }: { site: string; port: number },
): Promise<ChildProcess> {
  const adapted = site
    .replaceAll(/^ *(listen \[::\].*|ssl_.*)$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll('shop.example', 'localhost')
  await writeFile(join(folder, 'site.conf'), adapted)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // Root's temporary folder is closed to nginx's own user.
  const main = `${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; pid ${folder}/pid; error_log stderr; worker_processes 2;
    events {}
    http {
      include /etc/nginx/mime.types; access_log off;
      ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
      include ${folder}/site.conf;
    }`
  await writeFile(join(folder, 'nginx.conf'), main)
  return spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
}

async function startCaddy(shop: BehindProxy, port: number): Promise<ChildProcess> {
  const folder = join(shop.home, 'caddy')
  await mkdir(folder)
  const site = (await shop.adapted('caddy/Caddyfile')).replaceAll(
    /^shop\.example/gm,
    `http://localhost:${port}`,
  )
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/`).then(
    () => true,
    () => false,
  )
}
