import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { replaceNonceWithHashes } from './replace-nonce.ts'

const replace = (page: string) => {
  const { html, allowed } = replaceNonceWithHashes(Buffer.from(page), 'abc')
  return { html: String(html), allowed }
}
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

it('replaces the nonce of inline scripts and styles with hashes', () => {
  const { html, allowed } = replace(
    '<style nonce="abc">p{}</style><script nonce="abc">one()</script><script nonce="abc" type="module" async="">two()\n</script>',
  )

  expect(allowed).toEqual({ scripts: [hashOf('one()'), hashOf('two()\n')], styles: [hashOf('p{}')] })
  expect(html).not.toContain('nonce')
})

it('adds no hash for a script without the right nonce', () => {
  const { allowed } = replace('<script>steal()</script><script nonce="guess">steal()</script>')

  expect(allowed.scripts).toEqual([])
})

it('adds no hash for a script from a file', () => {
  const { html, allowed } = replace('<script nonce="abc" src="/assets/a.js"></script>')

  expect(allowed.scripts).toEqual([])
  expect(html).toBe('<script src="/assets/a.js"></script>')
})
