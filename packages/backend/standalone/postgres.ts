/** `npm run postgres`: runs an empty PostgreSQL in ./data until it is interrupted, for trying the backend out. */
import { startPostgres, postgresUrl } from '#backend/database/embedded.ts'
import { exitWithError } from '#backend/process/startup-error.ts'
import { stopOnce } from '#backend/process/stop-once.ts'

const opened = startPostgres('data', { port: Number(process.env['POSTGRES_PORT'] ?? 54_320) })
stopOnce(async () => (await opened).stop())
opened.then(
  (postgres) => console.log(`PostgreSQL is listening at ${postgresUrl(postgres, 'supabase_admin')}`),
  exitWithError,
)
