import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { shortClassName } from './scripts/class-names.ts'
import { firstViewChunks } from './scripts/first-view-chunks.ts'
import { retryableImports } from './scripts/retryable-imports.ts'
import { serviceWorker } from './scripts/service-worker.ts'
import { styleLayers } from './scripts/style-layers.ts'

/**
 * One build makes the browser's pages and the server's bundle. The bundle starts at `server/app.ts`,
 * which mounts pages and services, so e-mail templates (TSX) are compiled by the same build.
 */
export default defineConfig(({ command }) => ({
  plugins: [styleLayers(), reactRouter(), retryableImports(), serviceWorker()],
  // Development keeps the readable names.
  ...(command === 'build' && { css: { modules: { generateScopedName: shortClassName } } }),
  // Bundled, the few components that mails use, and the icons, load in a sixth of the time and memory of the whole packages.
  ssr: { noExternal: [/^@react-email\//, 'lucide-react'] },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: firstViewChunks() } } } },
    },
    // The process has loaded the backend already: one copy for both.
    ssr: { build: { rollupOptions: { input: './server/app.ts', external: ['@saltfreak/backend'] } } },
  },
}))
