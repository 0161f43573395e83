import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { lockerListFrom } from './courier-lockers.ts'

/** `npm run lockers -- <file>`: imports the courier's list. Build and restart the shop afterwards. */
const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: npm run lockers -- <JSON file with the courier’s lockers>')
  process.exit(1)
}

const list = lockerListFrom(JSON.parse(await readFile(file, 'utf8')), new Date().toISOString().slice(0, 10))
const text = `{"asOf":"${list.asOf}","rows":[\n${list.rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`
await writeFile(fileURLToPath(new URL('../assets/lockers.json', import.meta.url)), text)
console.log(`${list.rows.length} lockers, ${(gzipSync(text).length / 1000).toFixed(1)} kB on the wire`)
