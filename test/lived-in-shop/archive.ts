import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Client } from 'pg'
import {
  createOwnedFolder,
  dataPath,
  postgresBinaries,
  postgresUrl,
  prepareInstallation,
  startPostgres,
} from '@saltfreak/backend/testing'

const run = promisify(execFile)

/** PostgreSQL's three databases contain the same system tables, so the compressor needs a large window. */
const WINDOW_LOG = 27
const LEVEL = 19

/** The password of every packed database. */
const PASSWORD = 'a-packed-shop'

/**
 * Packs the database of a closed shop, without the storage's files: they are the same in every release, and an upgrade that
 * changes them has its own test.
 */
export async function packShop(folder: string, archive: string): Promise<number> {
  await shrink(folder)
  const tar = spawn(
    'tar',
    ['--create', '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '.'],
    { cwd: await dataPath(folder), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(tar, 'exit')
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
  await pipeline(tar.stdout, createZstdCompress({ params }), createWriteStream(archive))
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  return (await stat(archive)).size
}

/** Unpacks such an archive into a data folder that has no database yet. */
export async function unpackShop(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  await writeFile(join(folder, 'postgres.password'), PASSWORD, { mode: 0o600 })
  const installation = await prepareInstallation(await postgresBinaries(), folder)
  await createOwnedFolder(installation, installation.data)
  // Through a file: tar stops reading at the archive's end, which would break a pipe that still holds its padding.
  const unpacked = join(folder, 'shop.tar')
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG }
  await pipeline(createReadStream(archive), createZstdDecompress({ params }), createWriteStream(unpacked))
  await run('tar', ['--extract', '--no-same-owner', `--file=${unpacked}`, '--directory', installation.data])
  await rm(unpacked)
  if (installation.account) {
    const { uid, gid } = installation.account
    await run('chown', ['--recursive', `${uid}:${gid}`, installation.data])
  }
}

/** Vacuums the tables and shortens the write-ahead log. */
async function shrink(folder: string): Promise<void> {
  const postgres = await startPostgres(folder)
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await client.connect()
  try {
    for (const statement of [
      `alter role supabase_admin password '${PASSWORD}'`,
      'alter system set wal_recycle = off',
      'select pg_reload_conf()',
      'vacuum (full, analyze)',
      // Switch beyond recycled segments, which still contain old data.
      ...Array.from({ length: 4 }, () => ['checkpoint', 'select pg_switch_wal()']).flat(),
      'checkpoint',
      'alter system reset wal_recycle',
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- the order matters
      await client.query(statement)
    }
  } finally {
    await client.end()
    await postgres.stop()
  }
}
