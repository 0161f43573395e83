import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { shop } from '#shop'

/** The service worker leaves as it is written, under one address for ever, with the name of the build it belongs to. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_options, bundle) {
      const source = readFileSync(new URL('../app/offline/service-worker.js', import.meta.url), 'utf8')
      // The names of files carry hashes of what is in them.
      const names = Object.keys(bundle).toSorted().join()
      const build = createHash('sha256').update(names).update(source).digest('base64url').slice(0, 12)
      const head = `const BUILD = '${build}'\nconst IS_WANTED = ${shop.worksOffline}\n`
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: head + source })
    },
  }
}
