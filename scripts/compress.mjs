import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(js|css|svg|html|txt|json|webmanifest)$/
const MIN_BYTES = 256

/** Writes `.br` and `.gz` files for the text files of a folder, so that requests need no compression. */
export async function compressFiles(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(names.map((name) => compressFile(join(folder, name))))
}

async function compressFile(path) {
  const content = await readFile(path)
  if (content.byteLength < MIN_BYTES) return
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
  await writeFile(`${path}.gz`, await promisify(gzip)(content))
}
