import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const project = resolve(import.meta.dirname, '..')

it('a command’s arguments, output and exit code pass through the program that installs its packages first', async () => {
  const program = join(import.meta.dirname, 'run.mjs')
  const ended = await new Promise((settle) => {
    const child = execFile(process.execPath, [program, 'restore', '--at', 'noon'], (_, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr }),
    )
  })

  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Usage: npm run restore/) })
})

it('a program that is killed does not count as a success', async () => {
  const runner = JSON.stringify(join(import.meta.dirname, 'run-program.mjs'))
  const program = `import { runProgram } from ${runner}
    runProgram(['--eval', 'process.kill(process.pid, "SIGKILL")'])`
  const child = execFile(process.execPath, ['--input-type=module', '--eval', program])

  const [code] = await once(child, 'exit')

  expect(code).toBe(1)
})

it('every command that the operations page lists runs in a checkout where nothing is installed yet', async () => {
  const operations = await readFile(join(project, 'docs/operations.md'), 'utf8')
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const listed = new Set(Array.from(operations.matchAll(/^npm run (?:-s )?(\w+)/gm), ([, name = '']) => name))

  expect(listed.size).toBeGreaterThan(7)
  for (const name of listed) expect(scripts[name]).toBe(`node scripts/run.mjs ${name}`)
})
