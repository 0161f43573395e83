import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealPage } from './seal-page.ts'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

it('names the page’s own inline scripts and styles by their hashes and takes the nonce away', () => {
  const { html, allowed } = sealPage(
    '<style nonce="abc">p{}</style><script nonce="abc">one()</script><script nonce="abc" type="module" async="">two()\n</script>',
    'abc',
  )

  expect(allowed).toEqual({ scripts: [hashOf('one()'), hashOf('two()\n')], styles: [hashOf('p{}')] })
  expect(html).not.toContain('nonce')
})

it('allows nothing that did not know the nonce', () => {
  const { allowed } = sealPage('<script>steal()</script><script nonce="guess">steal()</script>', 'abc')

  expect(allowed.scripts).toEqual([])
})

it('needs no hash for a script from a file', () => {
  const { html, allowed } = sealPage('<script nonce="abc" src="/assets/a.js"></script>', 'abc')

  expect(allowed.scripts).toEqual([])
  expect(html).toBe('<script src="/assets/a.js"></script>')
})
