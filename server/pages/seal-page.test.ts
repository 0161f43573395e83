import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealPage } from './seal-page.ts'

const seal = (page: string) => {
  const { html, allowed } = sealPage(Buffer.from(page), 'abc')
  return { html: String(html), allowed }
}
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

it('names the page’s own inline scripts and styles by their hashes and takes the nonce away', () => {
  const { html, allowed } = seal(
    '<style nonce="abc">p{}</style><script nonce="abc">one()</script><script nonce="abc" type="module" async="">two()\n</script>',
  )

  expect(allowed).toEqual({ scripts: [hashOf('one()'), hashOf('two()\n')], styles: [hashOf('p{}')] })
  expect(html).not.toContain('nonce')
})

it('allows nothing that did not know the nonce', () => {
  const { allowed } = seal('<script>steal()</script><script nonce="guess">steal()</script>')

  expect(allowed.scripts).toEqual([])
})

it('needs no hash for a script from a file', () => {
  const { html, allowed } = seal('<script nonce="abc" src="/assets/a.js"></script>')

  expect(allowed.scripts).toEqual([])
  expect(html).toBe('<script src="/assets/a.js"></script>')
})
