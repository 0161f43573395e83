import { describe, expect, it } from 'vitest'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { RouteError } from './route-error.tsx'

describe('a page that could not be opened', () => {
  it.each([
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    'FetchEvent.respondWith received an error: TypeError: Load failed',
  ])('names the lost connection, not a fault of the shop, when the browser says "%s"', (message) => {
    const text = renderText(<RouteError error={new TypeError(message)} />)

    expect(text).toContain('We couldn’t reach the shop. Check your connection. Your cart is saved.')
    expect(text).not.toContain('Something went wrong on our side')
  })

  it('does not blame the connection for a fault of the page', () => {
    const fault = new TypeError("Cannot read properties of undefined (reading 'fetch')")

    expect(renderText(<RouteError error={fault} />)).toContain('Something went wrong on our side')
  })

  it('is opened again with the query of its address, which a form would drop', () => {
    const html = renderHtml(<RouteError error={new Error('broken')} />)

    expect(html).toMatch(/<a href=""[^>]*>Try again<\/a>/)
    expect(html).not.toContain('<form')
  })
})
