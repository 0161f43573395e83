import { upgradeDatabase } from '../upgrade.ts'
import { sourceIn } from './sql-folders.ts'

/** Upgrades a test's database in a separate process that the test can kill: `node upgrade-once.ts <url> <folder>`. */
const [url = '', folder = ''] = process.argv.slice(2)
process.send?.('begun')
await upgradeDatabase(url, {
  sources: [sourceIn(folder)],
  release: { version: '1.1.0', compatibleFrom: '1.1.0' },
})
process.disconnect()
