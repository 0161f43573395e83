import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { loadOrCreate } from '#backend/process/load-or-create.ts'
import { listBackups } from './manifest.ts'
import { type Encryption, listStored, parseStoredName } from './stored-files.ts'

/** Holds the folder's age identity, encrypted with the passphrase. `age -d key.age` prints it for `age -d -i` to use. */
const KEY_FILE = 'key.age'

/**
 * Identities that this process has unsealed, by a digest of the sealed key and its passphrase. Unsealing is slow on purpose: it keeps a
 * core busy for about a second, and every archived piece of the log needs the key.
 */
const unsealed = new Map<string, string>()

/**
 * Opens the key of a backup folder; with `create`, makes one on first use. Returns null when the folder has none and no passphrase is
 * given. Throws a DatabaseProblem when the passphrase is missing or wrong, or when encrypted backups have lost their key: with another one,
 * or without encryption, new backups would share files that no key opens.
 */
export async function openEncryption(
  folder: string,
  passphrase: string | null,
  { create = false, scryptWorkFactor }: { create?: boolean; scryptWorkFactor?: number } = {},
): Promise<Encryption | null> {
  const sealed = await readKey(folder)
  if (sealed && !passphrase) {
    throw new DatabaseProblem(`the backups in ${folder} are encrypted: set BACKUP_PASSPHRASE`)
  }
  if (sealed && passphrase) return encryptionWith(await unseal(sealed, passphrase, folder))
  // A restore without a passphrase may still read a backup that is not encrypted.
  if ((create || passphrase) && (await holdsEncrypted(folder))) throw new DatabaseProblem(lostKey(folder))
  if (!create || !passphrase) return null
  const identity = await generateX25519Identity()
  // What is encrypted with a key that another process replaces can never be read.
  const written = await loadOrCreate(
    join(folder, KEY_FILE),
    await seal(identity, passphrase, scryptWorkFactor),
  )
  return encryptionWith(await unseal(written, passphrase, folder))
}

/** Returns the sealed key of a folder; null without one, and for an empty file, as a full disk leaves it. */
export async function readKey(folder: string): Promise<Uint8Array | null> {
  const sealed = await readFile(join(folder, KEY_FILE)).catch(nullIfMissing)
  return sealed?.length ? sealed : null
}

export function lostKey(folder: string): string {
  return `${join(folder, KEY_FILE)} is gone, without which nothing opens the encrypted backups: copy it back, or choose an empty folder`
}

/** Also for a first backup that was not finished: later ones share its files. A backup that another user closed must not end all backups. */
async function holdsEncrypted(folder: string): Promise<boolean> {
  if ((await listStored(join(folder, 'files'))).some(isEncrypted)) return true
  for (const name of await listBackups(folder)) {
    // oxlint-disable-next-line no-await-in-loop -- one backup after the other
    const names = await readdir(join(folder, name)).catch((): string[] => [])
    if (names.some(isEncrypted)) return true
  }
  return false
}

function isEncrypted(path: string): boolean {
  return parseStoredName(path)?.isEncrypted ?? false
}

function encryptionWith(identity: string): Encryption {
  return {
    async *encrypt(plain) {
      const encrypter = new Encrypter()
      encrypter.addRecipient(await identityToRecipient(identity))
      yield* chunksOf(await encrypter.encrypt(streamOf(plain)))
    },
    async *decrypt(encrypted) {
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      yield* chunksOf(await decrypter.decrypt(streamOf(encrypted)))
    },
  }
}

function seal(identity: string, passphrase: string, workFactor?: number): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor)
  return encrypter.encrypt(identity)
}

async function unseal(sealed: Uint8Array, passphrase: string, folder: string): Promise<string> {
  const name = createHash('sha256').update(sealed).update(passphrase).digest('hex')
  const known = unsealed.get(name)
  if (known !== undefined) return known
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const identity = await decrypter.decrypt(sealed, 'text').catch(() => {
    throw new DatabaseProblem(`BACKUP_PASSPHRASE does not open the backups in ${folder}`)
  })
  unsealed.set(name, identity)
  return identity
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
