import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { Command } from '#backend/database/client-programs.ts'
import { type StoredFileOptions, writeStoredFile } from './stored-files.ts'

interface Ended {
  code: unknown
  /** What the program wrote to its error output. */
  errors: string
}

interface StoredOutput extends Ended {
  /** Path in the folder. */
  stored: string
  /** Before compression. */
  bytes: number
}

/** Stores what a program prints. The caller must check the exit code. */
export async function storeOutput(
  { command, args, env }: Command,
  path: string,
  place: StoredFileOptions,
): Promise<StoredOutput> {
  const program = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // The end is awaited after the output: until then, a failed start would be an unhandled rejection, which ends this process.
  await once(program, 'spawn')
  const ended = endOf(program)
  let bytes = 0
  const counting = program.stdout.map((chunk: Buffer) => {
    bytes += chunk.length
    return chunk
  })
  const stored = await writeStoredFile(path, counting, place)
  return { stored, bytes, ...(await ended) }
}

/** Gives a program its input. The caller must check the exit code: a program may stop reading at an end mark, before padding. */
export async function sendInput(
  { command, args, env }: Command,
  content: AsyncIterable<Uint8Array>,
): Promise<Ended> {
  const program = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'pipe'] })
  const [ended] = await Promise.all([endOf(program), pipeline(content, program.stdin).catch(() => undefined)])
  return ended
}

async function endOf(program: ChildProcess): Promise<Ended> {
  let errors = ''
  program.stderr?.on('data', (chunk) => (errors += String(chunk)))
  const [code]: unknown[] = await once(program, 'close')
  return { code, errors: errors.trim() }
}
