import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The id of Vite's helper, which runs each `import()` of a built page and gets the scripts that it needs. */
// oxlint-disable-next-line no-control-regex -- Rollup's mark of a virtual module
const HELPER = /^\0vite\/preload-helper\.js$/
const EXPORT = 'export const __vitePreload ='

const DOWNLOAD = join(import.meta.dirname, '../app/data/download-scripts.ts')

/**
 * Lets an `import()` that failed be tried again in every browser (app/data/download-scripts.ts). Vite passes no script when an import needs
 * only one; here the first is always the imported one.
 */
export function retryableImports(): Plugin {
  return {
    name: 'retryable-imports',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          resolveDependencies: (file, scripts) => [file, ...scripts.filter((script) => script !== file)],
        },
      },
    }),
    transform: {
      filter: { id: HELPER },
      handler(code) {
        if (!code.includes(EXPORT))
          throw new Error('Vite’s helper for import() has changed: adapt retryable-imports.ts')
        return `import { downloadScripts } from ${JSON.stringify(DOWNLOAD)}
${code.replace(EXPORT, 'const preload =')}
export const __vitePreload = (load, files = []) => {
  const scripts = files.filter((file) => !file.endsWith('.css')).map((file) => assetsURL(file))
  return downloadScripts(scripts).then(() => preload(load, files.length > 1 ? files : []))
}`
      },
    },
  }
}
