import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@saltfreak/backend/testing'
import type { InstalledShop } from './installed-shop.ts'

export type ProxyName = 'nginx' | 'caddy'

export interface ShopProxy {
  port: number
  close(): Promise<void>
}

export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0
}

/**
 * Starts the real proxy with the shipped configuration, on a free port of this machine and without TLS: tests have no certificate that
 * the shop's clients accept.
 */
export async function startProxy(name: ProxyName, shop: InstalledShop, port: number): Promise<ShopProxy> {
  const proxy = name === 'nginx' ? await startNginx(shop, port) : await startCaddy(shop, port)
  const ended = once(proxy, 'exit')
  let output = ''
  proxy.stderr?.on('data', (chunk) => (output += String(chunk)))
  while (!(await answers(port))) {
    if (proxy.exitCode !== null) throw new Error(`${name} did not start:\n${output}`)
    await pause(20)
  }
  return {
    port,
    async close() {
      proxy.kill('SIGTERM')
      await ended
    },
  }
}

async function startNginx(shop: InstalledShop, port: number): Promise<ChildProcess> {
  const folder = join(shop.home, 'nginx')
  await mkdir(folder)
  const site = (await shop.adapted('nginx/saltfreak.conf'))
    .replaceAll(/^ *(listen \[::\].*|ssl_.*)$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll('shop.example', 'localhost')
  await writeFile(join(folder, 'site.conf'), site)
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

async function startCaddy(shop: InstalledShop, port: number): Promise<ChildProcess> {
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
