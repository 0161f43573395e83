import type { Plugin } from 'vite'

/**
 * Puts the styles of `app/ui` into cascade layers, so that the styles of a page override them in any load order. Lazily loaded
 * parts make the order unpredictable: a stylesheet that they share with the page is loaded again after the page's own.
 */
export function styleLayers(): Plugin {
  return {
    name: 'style-layers',
    enforce: 'pre',
    transform(css, id) {
      const code = layered(css, id)
      return code === null ? null : { code, map: null }
    },
  }
}

/** Returns the style sheet in its layer, or null for one that does not belong to `app/ui`. */
export function layered(css: string, id: string): string | null {
  const file = /\/app\/ui\/([^?]+\.css)(?:\?|$)/.exec(id)?.[1]
  if (!file) return null
  const layer = file.endsWith('.module.css') ? 'ui' : 'base'
  return `@layer base, ui;\n@layer ${layer} {\n${css}\n}\n`
}
