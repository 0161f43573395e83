import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#backend/process/free-port.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'

export interface Pooler {
  /** The address of the database behind it. */
  url: string
  stop(): Promise<void>
}

interface PoolerOptions {
  mode: 'session' | 'statement' | 'transaction'
  /** Accepts settings of a connection and drops them, as operators configure it for drivers that send them. */
  ignoresOptions: boolean
}

export function isPoolerInstalled(): boolean {
  return existsSync(PGBOUNCER)
}

/** Starts PgBouncer in front of a server. It ends with `stop`, or with this process. */
export async function startPooler(
  serverUrl: string,
  { mode, ignoresOptions }: PoolerOptions,
): Promise<Pooler> {
  const server = new URL(serverUrl)
  const folder = await mkdtemp(join(tmpdir(), 'pooler-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const login = `user=${server.username} password='${decodeURIComponent(server.password)}'`
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
${ignoresOptions ? 'ignore_startup_parameters = options, extra_float_digits' : ''}
`,
  )
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('sh', ['-c', '"$@" & cat >/dev/null; kill $!', 'sh', PGBOUNCER, '-q', ...user, file], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(pooler, 'exit')
  while (!(await answers(port))) await pause(10)
  server.port = String(port)
  return {
    url: server.href,
    async stop() {
      pooler.stdin.end()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
    socket.once('connect', () => socket.destroy())
  })
}
