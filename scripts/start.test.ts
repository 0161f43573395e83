import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeFlags } from './prepare.mjs'

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function start(...given: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const program = join(import.meta.dirname, 'start.mjs')
    const child = execFile(process.execPath, [program, ...given], { timeout: 5000 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

it.each(['--help', '-h'])('npm start -- %s prints how to use it and starts nothing', async (argument) => {
  const { code, stdout } = await start(argument)

  expect(code).toBe(0)
  expect(stdout).toContain('npm start')
  expect(stdout).toContain('docs/operations.md')
})

it('npm start refuses an argument that it does not know in one line', async () => {
  expect(await start('--prot', '8080')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'npm start does not know --prot: npm start -- --help says what it knows\n',
  })
})

it('an installed release gives Node the same flags as npm start', async () => {
  const script = await readFile(join(import.meta.dirname, '../deploy/start'), 'utf8')
  const command = script.trim().split('\n').at(-1)

  for (const flag of nodeFlags) expect(command).toContain(flag.split('=')[0])
})
