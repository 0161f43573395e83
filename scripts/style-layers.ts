import type { Plugin } from 'vite'

/**
 * Puts the looks of `app/ui` into cascade layers, so that what a page says of a button wins over what the button says of
 * itself, whichever stylesheet came first. With parts that are fetched later the order is nobody's to choose: a stylesheet
 * that a late part shares with the page is loaded again, behind the page's own.
 */
export function styleLayers(): Plugin {
  return {
    name: 'style-layers',
    enforce: 'pre',
    transform(css, id) {
      const file = /\/app\/ui\/([^/?]+\.css)(?:\?|$)/.exec(id)?.[1]
      if (!file) return null
      const layer = file.endsWith('.module.css') ? 'ui' : 'base'
      return { code: `@layer base, ui;\n@layer ${layer} {\n${css}\n}\n`, map: null }
    },
  }
}
