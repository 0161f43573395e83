import { type ChildProcess, spawn } from 'node:child_process'
import { errorMessage } from '@saltfreak/backend'

/** What a stage of the gate, or a part of it, came to. `output` is printed once the stage has ended. */
export interface Outcome {
  passed: boolean
  output: string
}

const running = new Set<ChildProcess>()

/** Passes a signal on to the programs that run now. */
export function stopPrograms(signal: NodeJS.Signals): void {
  for (const program of running) program.kill(signal)
}

/** Runs a program of the installed packages. `stdio`: whether its output is printed at once or collected. */
export function command(
  [program = '', ...args]: string[],
  stdio: 'inherit' | 'pipe' = 'inherit',
): Promise<Outcome> {
  return new Promise((settle) => {
    const child = spawn(program, args, { stdio: ['ignore', stdio, stdio] })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (output += String(chunk)))
    child.once('error', (error) => settle({ passed: false, output: error.message }))
    child.once('close', (code) => {
      running.delete(child)
      settle({ passed: code === 0, output: output.trim() })
    })
  })
}

/** Runs programs at the same time, each on a core of its own; their output is printed one after the other. */
export function sideBySide(...commands: string[][]): Promise<Outcome> {
  return together(...commands.map((each) => command(each, 'pipe')))
}

export async function oneByOne(...runs: (() => Promise<Outcome>)[]): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const run of runs) outcomes.push(await run()) // oxlint-disable-line no-await-in-loop -- one after the other
  return all(outcomes)
}

export async function together(...started: Promise<Outcome>[]): Promise<Outcome> {
  return all(await Promise.all(started))
}

function all(outcomes: Outcome[]): Outcome {
  return {
    passed: outcomes.every(({ passed }) => passed),
    output: outcomes
      .map(({ output }) => output)
      .filter(Boolean)
      .join('\n'),
  }
}

/** Passes if the work does not throw. */
export async function succeeds(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { passed: true, output: '' }
  } catch (error) {
    return { passed: false, output: errorMessage(error) }
  }
}
