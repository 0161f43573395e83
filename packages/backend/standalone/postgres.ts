/** `npm run postgres`: runs an empty PostgreSQL in ./data until it is interrupted, for trying the backend out. */
import { startPostgres, postgresUrl } from '#backend/database/embedded.ts'

const postgres = await startPostgres('data', { port: 54_320 })
console.log(`PostgreSQL is listening at ${postgresUrl(postgres, 'supabase_admin')}`)
process.on('SIGINT', () => void postgres.stop())
await postgres.ended
