/**
 * oxlint plugin: refuses browser APIs that a supported browser lacks, unless the same file tests for them (`'startViewTransition' in document`,
 * `URL.parse?.(…)`). The data are MDN's. Types are unknown here, so a method counts as missing only when no interface has it in every browser.
 */
import data from '@mdn/browser-compat-data' with { type: 'json' }

const { api, javascript } = data

/** The oldest supported versions; stylelint.config.js checks style sheets against the same year. */
const OLDEST = { chrome: 120, chrome_android: 120, firefox: 140, safari: 17, safari_ios: 17 }

const isSupported = ({ support: versions }) =>
  Object.entries(OLDEST).every(([browser, oldest]) =>
    [versions[browser] ?? []]
      .flat()
      .some(
        ({ version_added, version_removed, flags, prefix, alternative_name: other }) =>
          !(flags || prefix || other || parseFloat(version_removed) <= oldest) &&
          parseFloat(version_added) <= oldest,
      ),
  )

const supported = new Set()
const missing = new Set()
for (const [group, isApi] of [
  [api, true],
  [javascript.builtins, false],
])
  for (const [name, { __compat: self, ...members }] of Object.entries(group)) {
    if (!self) continue
    note(name, self)
    for (const [member, { __compat: own }] of Object.entries(members))
      if (own && !member.endsWith('_event')) noteMember(name, member, { versions: own, isApi })
  }

/** The data mark static members of web APIs, but not those of the language's builtins. */
function noteMember(name, member, { versions, isApi }) {
  const isStatic = member.endsWith('_static')
  const bare = member.replace(/_static$/, '')
  if (isStatic || !isApi) note(`${name}.${bare}`, versions)
  if (!isStatic) note(`.${bare}`, versions)
}

function note(name, versions) {
  ;(isSupported(versions) ? supported : missing).add(name)
}

/** Methods of our own, and of objects that exist only where the browser has them. */
const OURS = new Set(['.run', '.retry', '.detect', '.getCurrentPosition'])

const isMissing = (name) => missing.has(name) && !supported.has(name) && !OURS.has(name)

const support = {
  create(context) {
    const { text } = context.sourceCode
    const isTestedFor = (name) =>
      new RegExp(`['"]${name}['"] in |typeof [\\w.]*\\b${name}\\b|\\b${name}\\?\\.`).test(text)
    const check = (node, name, last) => {
      if (isMissing(name) && !isTestedFor(last))
        context.report({
          node,
          message: `${name.replace(/^\./, '')} is missing in a supported browser: test for it`,
        })
    }
    return {
      NewExpression({ callee }) {
        if (callee.type === 'Identifier') check(callee, callee.name, callee.name)
      },
      CallExpression({ callee }) {
        if (callee.type === 'Identifier') check(callee, callee.name, callee.name)
        const { object, property, computed } = callee
        // `z` is the validation library, whose `z.union` is not Set's.
        if (callee.type !== 'MemberExpression' || computed || object.name === 'z') return
        const isGlobal = object.type === 'Identifier' && /^[A-Z]/.test(object.name)
        check(property, isGlobal ? `${object.name}.${property.name}` : `.${property.name}`, property.name)
      },
    }
  },
}

export default { meta: { name: 'browsers' }, rules: { support } }
