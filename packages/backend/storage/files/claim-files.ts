import { createHash } from 'node:crypto'
import type { Pool } from 'pg'

import { loadAddressSecret } from '../signed/address-signer.ts'
import { FileStoreProblem } from './file-store-problem.ts'
import type { FileStore } from './file-store.ts'

/** Names the database that a bucket's files belong to. */
const CLAIM = 'owner'

/**
 * Claims a bucket for a database. Throws a FileStoreProblem when it belongs to another one: the sweep of each would remove the other's new
 * files. Two processes of one database may claim it at once.
 */
export async function claimFiles(files: FileStore, owner: Pool): Promise<void> {
  if (files.kind === 'disk') return
  // A restored copy has the same secret: it is the same shop.
  const own = createHash('sha256')
    .update(await loadAddressSecret(owner))
    .digest('hex')
  if (!(await files.find(CLAIM))) return files.write(CLAIM, Buffer.from(own))
  const claimed = await new Response(await files.read(CLAIM)).text()
  if (claimed !== own) {
    throw new FileStoreProblem(
      `the bucket belongs to another database: name an empty one in S3_BUCKET, or delete its object "${CLAIM}" when that database is gone`,
    )
  }
}
