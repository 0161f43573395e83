import type { PlantedFault } from './fault.ts'

const keepTests = ['server/processes/keep-processes.test.ts']

export const processFaults: PlantedFault[] = [
  {
    rule: 'a change of roles that another process has crossed is repeated',
    file: 'packages/backend/database/prepare-backend.ts',
    find: 'if (attempt === ATTEMPTS || !CHANGED_AT_ONCE.test(String(error))) throw error',
    replace: 'throw error',
    tests: ['packages/backend/database/prepare-application.test.ts'],
  },
  {
    rule: 'nginx asks another process for a page whose process ended',
    file: 'deploy/nginx/saltfreak.conf',
    find: '  server 127.0.0.1:3001 backup max_fails=0;\n  server 127.0.0.1:3002 backup max_fails=0;\n',
    replace: '  server 127.0.0.1:3002 backup max_fails=0;\n',
    tests: ['deploy/proxies-retry.test.ts'],
  },
  {
    rule: 'Caddy sends requests to the other port when nothing listens on the first one',
    file: 'deploy/caddy/Caddyfile',
    find: '\tfail_duration 1s\n',
    replace: '',
    tests: ['deploy/proxies-retry.test.ts'],
  },
  {
    rule: 'nginx finds the files of a page at the machine that has its version',
    file: 'deploy/nginx/several-machines.conf',
    find: 'proxy_next_upstream error timeout http_404;',
    replace: 'proxy_next_upstream error timeout;',
    tests: ['deploy/proxies-retry.test.ts'],
  },
  {
    rule: 'a process that keeps ending is replaced after growing pauses',
    file: 'server/processes/keep-processes.ts',
    find: 'delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)',
    replace: 'delayMs = Math.min(delayMs, MAX_DELAY_MS)',
    tests: keepTests,
  },
  {
    rule: 'a start in which one process fails leaves no other process behind',
    file: 'server/processes/keep-processes.ts',
    find: 'await Promise.all([...running].map((each) => each.stop()))',
    replace: 'await Promise.all([])',
    tests: keepTests,
  },
  {
    rule: 'the connections of the database suffice for two versions during an update',
    file: 'packages/backend/database/pool-sizes.ts',
    find: 'const VERSIONS = 2',
    replace: 'const VERSIONS = 1',
    tests: ['packages/backend/database/pool-sizes.test.ts'],
  },
  {
    rule: 'the last log lines do not overtake those that are being written',
    file: 'packages/backend/process/create-log.ts',
    find: 'if (isWriting) Atomics.wait(',
    replace: 'if (!output) Atomics.wait(',
    tests: ['packages/backend/process/create-log.test.ts'],
  },
  {
    rule: 'work that must be done once is done by one process',
    file: 'packages/backend/database/run-in-one-process.ts',
    find: 'if (!isHeld) return onRefused?.()',
    replace: 'if (signal.aborted) return onRefused?.()',
    tests: ['packages/backend/database/run-in-one-process.test.ts'],
  },
  {
    rule: 'the commands of an installed shop run where its user may read',
    file: 'deploy/saltfreak',
    find: '  cd /\n',
    replace: '',
    tests: ['deploy/saltfreak.test.ts'],
  },
  {
    rule: 'work of one process ends when that process stops',
    file: 'packages/backend/database/run-in-one-process.ts',
    find: 'Promise.race([lost, stopped])',
    replace: 'lost',
    tests: ['packages/backend/database/run-in-one-process.test.ts'],
  },
  {
    rule: 'an upload is received by one process at a time',
    file: 'packages/backend/storage/resumable/upload-locks.ts',
    find: 'withSharedLock({ id, stop, work: () => work(stop.signal) })',
    replace: 'work(stop.signal)',
    tests: ['packages/backend/storage/resumable/resumable.test.ts'],
  },
  {
    rule: 'no process is replaced once the shop stops',
    file: 'server/processes/keep-processes.ts',
    find: '      if (signal.aborted) return\n      delayMs',
    replace: '      delayMs',
    tests: ['server/processes/keep-processes.test.ts'],
  },
]
