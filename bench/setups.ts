/** The setups of docs/scale.md on one machine: which programs serve them, and how to reach them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  findRunningPostgres,
  freePort,
  postgresUrl,
  startPostgres,
  startSwift,
} from '@saltfreak/backend/testing'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { startBalancer } from '#test/shop-proxy.ts'
import { type Market, TRADING } from './crowd.ts'
import { pinTo, processesBelow } from './measured-shop.ts'

export type SetupProgram = 'shop' | 'database' | 'files' | 'proxy' | 'CDN'

export interface Setup extends Market {
  /** The process ids of each program. */
  pids(this: void): Partial<Record<SetupProgram, number[]>>
  /** What the CDN has sent to browsers and got from the shop since the last call. */
  traffic?(this: void): Promise<Traffic>
  close(this: void): Promise<void>
}

interface Traffic {
  requests: number
  bytes: number
  shopRequests: number
  shopBytes: number
}

const QUIET = { LOG_LEVEL: 'warn', ...TRADING }
const MACHINES = 3

/** One process and its PostgreSQL on the first core. */
export async function openOneProcess(): Promise<Setup> {
  const shop = await startShop(QUIET)
  for (const { pid } of processesBelow(shop.process.pid)) pinTo('0', pid)
  return openEmbedded(shop)
}

/** A process for each core, with PostgreSQL on the same cores. */
export async function openOneMachine(): Promise<Setup> {
  return openEmbedded(await startShop({ ...QUIET, PROCESSES: '2' }))
}

async function openEmbedded(shop: RunningShop): Promise<Setup> {
  const postgres = await findRunningPostgres(shop.dataDir)
  if (!postgres) throw new Error('The shop’s database is not running')
  return {
    url: shop.url,
    databaseUrl: postgresUrl(postgres, 'supabase_admin'),
    publishableKey: (await shop.keys()).publishable,
    pids: () => pidsBelow({ shop: [shop.process.pid] }),
    close: async () => void (await shop.stop()),
  }
}

/** Three shops with data folders of their own share a PostgreSQL and an S3 bucket, behind nginx. */
export async function openThreeMachines(): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'machines-'))
  const [postgres, files, port] = [
    await startPostgres(folder, { settings: { max_connections: '200' } }),
    await startSwift(),
    await freePort(),
  ]
  const { bucket, endpoint, accessKeyId, secretAccessKey } = await files.createS3Bucket()
  const databaseUrl = postgresUrl(postgres, 'supabase_admin')
  const env = {
    ...QUIET,
    DATABASE_URL: databaseUrl,
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint ?? '',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    PUBLIC_URL: `http://localhost:${port}`,
    TRUST_PROXY: 'true',
  }
  const ports: string[] = []
  for (let machine = 0; machine < MACHINES; machine += 1) ports.push(String(await freePort()))
  const shops = await Promise.all(ports.map((each) => startShop({ ...env, PORT: each })))
  const proxy = await startBalancer(
    ports.map((each) => [Number(each)]),
    port,
  )
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  return {
    url: env.PUBLIC_URL,
    databaseUrl,
    publishableKey: (await shops[0]?.keys())?.publishable ?? '',
    pids: () =>
      pidsBelow({
        shop: shops.map((shop) => shop.process.pid),
        database: [postmaster],
        files: files.pids,
        proxy: [proxy.pid],
      }),
    async close() {
      await proxy.close()
      await Promise.all(shops.map((shop) => shop.stop()))
      await Promise.all([postgres.stop(), files.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The three machines behind a proxy that keeps what the shop allows caches to keep. */
export async function openBehindCdn(): Promise<Setup> {
  const machines = await openThreeMachines()
  const folder = await mkdtemp(join(tmpdir(), 'cdn-'))
  const port = await freePort()
  const log = join(folder, 'log')
  await writeFile(join(folder, 'nginx.conf'), cdnConf({ folder, log, port, shop: machines.url }))
  const cdn = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  await untilOpen(cdn, port)
  let read = 0
  return {
    ...machines,
    url: `http://localhost:${port}`,
    pids: () => ({ ...machines.pids(), ...pidsBelow({ CDN: [cdn.pid] }) }),
    async traffic() {
      const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean)
      const fresh = lines.slice(read).map((line) => line.split(' ').map(Number))
      read = lines.length
      const asked = fresh.filter(([, fromShop]) => Number(fromShop) > 0)
      return {
        requests: fresh.length,
        bytes: fresh.reduce((sum, [bytes = 0]) => sum + bytes, 0),
        shopRequests: asked.length,
        shopBytes: asked.reduce((sum, [, bytes = 0]) => sum + bytes, 0),
      }
    },
    async close() {
      const ended = once(cdn, 'exit')
      cdn.kill('SIGTERM')
      await ended
      await machines.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilOpen(proxy: ChildProcess, port: number): Promise<void> {
  while (!(await fetch(`http://localhost:${port}/healthz`).catch(() => null))) {
    if (proxy.exitCode !== null) throw new Error('nginx did not start')
    await pause(20)
  }
}

/** By the shop's own headers: `max-age`, `no-cache` and `Vary`. */
function cdnConf({ folder, log, port, shop }: Record<'folder' | 'log' | 'shop', string> & { port: number }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; pid ${folder}/pid; error_log /dev/null; worker_processes 2;
    events {}
    http {
      log_format traffic '$bytes_sent $upstream_bytes_received';
      access_log ${log} traffic;
      ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}
      proxy_cache_path ${folder}/cache keys_zone=shop:10m max_size=1g;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${shop.replace('localhost', '127.0.0.1')};
          proxy_http_version 1.1;
          proxy_set_header Host $host;
          proxy_set_header Connection "";
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_cache shop;
        }
      }
    }`
}

/** Adds the processes that each one has started; PostgreSQL's belong to the database wherever it was started. */
function pidsBelow(
  roots: Partial<Record<SetupProgram, (number | undefined)[]>>,
): Partial<Record<SetupProgram, number[]>> {
  const pids: Partial<Record<SetupProgram, number[]>> = {}
  for (const program of ['shop', 'database', 'files', 'proxy', 'CDN'] as const) {
    for (const { pid, program: name } of (roots[program] ?? []).flatMap((root) => processesBelow(root)))
      (pids[name === 'postgres' ? 'database' : program] ??= []).push(pid)
  }
  return pids
}
