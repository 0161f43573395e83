import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { S3Client } from '@aws-sdk/client-s3'

import type { S3Settings } from '#backend/storage/s3/s3-settings.ts'
import { freePort } from '#backend/process/free-port.ts'

const run = promisify(execFile)

const SERVICES = ['account', 'container', 'object'] as const
const STARTS_WITHIN_MS = 180_000

export interface SwiftServer {
  /** Creates a bucket and returns settings for it. */
  createS3Bucket(this: void): Promise<S3Settings>
  /** Stops answering while connections stay open, as a server behind a broken network. */
  suspend(this: void): void
  resume(this: void): void
  /** Of its processes. */
  pids: number[]
  stop(this: void): Promise<void>
}

/** Starts an S3 server on this machine with a scratch folder. It ends with this process. */
export async function startSwift(): Promise<SwiftServer> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'))
  await mkdir(join(folder, 'd1'))
  const port = await freePort()
  const cachePort = await freePort()
  await writeFile(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const ports = [port]
  for (const service of SERVICES) {
    // oxlint-disable no-await-in-loop -- each takes its own port
    const own = await freePort()
    await writeService(folder, service, own)
    ports.push(own)
    // oxlint-enable no-await-in-loop
  }
  await writeFile(join(folder, 'proxy.conf'), proxyConf(folder, { port, cachePort }))

  const servers = ['account', 'container', 'object', 'proxy'].map(
    (name) => `swift-${name}-server ${name}.conf >${name}.log 2>&1`,
  )
  const programs = [`memcached -u nobody -l 127.0.0.1 -p ${cachePort}`, ...servers]
  const script = programs.map((program) => `${program} & pids="$pids $!"`).join('; ')
  // They end with the pipe, so also when a signal ends this process.
  const shell = spawn('sh', ['-c', `${script}; echo $pids; cat >/dev/null; kill -KILL $pids`], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(shell, 'exit')
  const [line]: unknown[] = await once(shell.stdout, 'data')
  const pids = String(line).trim().split(' ').map(Number)
  const signal = (name: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, name))
  shell.unref()
  const endpoint = `http://127.0.0.1:${port}`
  async function stop() {
    shell.ref()
    shell.stdin.end()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // The first one that answers would refuse requests until the others are there.
    await Promise.all(ports.map((each) => waitUntilOpen(`http://127.0.0.1:${each}`)))
  } catch (error) {
    await stop()
    throw error
  }
  let buckets = 0
  return {
    async createS3Bucket() {
      buckets += 1
      const settings: S3Settings = { ...ACCESS, bucket: `shop-${buckets}`, endpoint }
      await createS3Bucket(settings)
      return settings
    },
    suspend: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    pids,
    stop,
  }
}

const ACCESS = {
  region: 'us-east-1',
  usesPathStyle: true,
  accessKeyId: 'test:shop',
  secretAccessKey: 'secret-of-the-tests',
  publicFiles: 'proxy',
  publicUrl: null,
} as const

/** Creates the bucket of the settings. */
export async function createS3Bucket(settings: S3Settings): Promise<void> {
  const { CreateBucketCommand } = await library()
  await withClient(settings, (client) => client.send(new CreateBucketCommand({ Bucket: settings.bucket })))
}

/** Returns the keys of the multipart uploads that have begun. */
export async function unfinishedUploads(settings: S3Settings): Promise<string[]> {
  const { ListMultipartUploadsCommand } = await library()
  const { Uploads = [] } = await withClient(settings, (client) =>
    client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket })),
  )
  return Uploads.map(({ Key = '' }) => Key)
}

/** Takes a third of a second, which tests without S3 do not need to wait. */
const library = () => import('@aws-sdk/client-s3')

async function withClient<T>(
  { endpoint, region, ...access }: S3Settings,
  work: (client: S3Client) => Promise<T>,
): Promise<T> {
  const { S3Client: Client } = await library()
  const client = new Client({ region, endpoint: endpoint ?? '', forcePathStyle: true, credentials: access })
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}

async function writeService(folder: string, service: (typeof SERVICES)[number], port: number): Promise<void> {
  const builder = join(folder, `${service}.builder`)
  await run('swift-ring-builder', [builder, 'create', '1', '1', '1'])
  await run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1'])
  await run('swift-ring-builder', [builder, 'rebalance'])
  await writeFile(
    join(folder, `${service}.conf`),
    `${common(folder, port)}devices = ${folder}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${service}-server
[app:${service}-server]
use = egg:swift#${service}
`,
  )
}

function proxyConf(folder: string, { port, cachePort }: { port: number; cachePort: number }): string {
  return `${common(folder, port)}[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:s3api]
use = egg:swift#s3api
location = ${ACCESS.region}
[filter:tempauth]
use = egg:swift#tempauth
user_test_shop = ${ACCESS.secretAccessKey} .admin
[filter:slo]
use = egg:swift#slo
`
}

function common(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
log_address = /dev/null
`
}

async function waitUntilOpen(endpoint: string): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS
  while (Date.now() < until) {
    // oxlint-disable no-await-in-loop -- one question after the other
    const answer = await fetch(endpoint).catch(() => null)
    await answer?.body?.cancel()
    if (answer && answer.status < 500) return
    await pause(100)
    // oxlint-enable no-await-in-loop
  }
  throw new Error('the S3 server does not open')
}
