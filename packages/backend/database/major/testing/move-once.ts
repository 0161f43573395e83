import { moveToNewestMajor } from '../move-to-newest.ts'
import { smallApplication } from './small-application.ts'

/** Moves a test's database in a separate process that the test can kill: `node move-once.ts <data folder> <sql folder>`. */
const [dataDir = '', sql = ''] = process.argv.slice(2)
const log = { info: () => {}, error: (fields: object) => void process.send?.(fields) }
process.send?.('begun')
await moveToNewestMajor(dataDir, { application: smallApplication(sql), log })
process.disconnect()
