import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { shop } from '#shop'

/** Emits the service worker unbundled at a fixed URL, which browsers use for updates, with the id of the build. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_options, bundle) {
      const source = readFileSync(new URL('../app/offline/service-worker.js', import.meta.url), 'utf8')
      // File names contain content hashes, so they identify the build.
      const names = Object.keys(bundle).toSorted().join()
      const build = createHash('sha256').update(names).update(source).digest('base64url').slice(0, 12)
      const head = `const BUILD = '${build}'\nconst IS_WANTED = ${shop.worksOffline}\n`
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: head + source })
    },
  }
}
