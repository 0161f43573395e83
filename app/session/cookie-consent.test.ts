import { beforeEach, describe, expect, it } from 'vitest'
import { giveStorage } from '#test/browser-storage.ts'
import { afterSignIn } from './after-sign-in.ts'
import { answerCookies, readConsent, rememberedPath, rememberPath } from './cookie-consent.ts'

beforeEach(() => {
  giveStorage()
})

it('knows whether it was answered, and how', () => {
  expect(readConsent()).toEqual({ hasResponded: false, cookiesAccepted: false })
  answerCookies(false)
  expect(readConsent()).toEqual({ hasResponded: true, cookiesAccepted: false })
  answerCookies(true)
  expect(readConsent()).toEqual({ hasResponded: true, cookiesAccepted: true })
})

it.each(['{', '7', 'null', '{"hasResponded":1,"cookiesAccepted":true}'])('takes %s for no answer', (kept) => {
  localStorage.setItem('cookie_consent', kept)

  expect(readConsent().hasResponded).toBe(false)
})

describe('the last visited path', () => {
  it('is kept only once cookies are accepted, and forgotten when they are declined', () => {
    rememberPath('/gallery')
    expect(localStorage.getItem('last_visited_path')).toBeNull()

    answerCookies(true)
    rememberPath('/gallery')
    expect(rememberedPath()).toBe('/gallery')

    answerCookies(false)
    expect(localStorage.getItem('last_visited_path')).toBeNull()
    expect(rememberedPath()).toBeNull()
  })

  it('is never the sign-in page or the checkout', () => {
    answerCookies(true)
    rememberPath('/faq')

    for (const path of ['/auth', '/auth/', '/auth/confirmed', '/checkout', '/checkout/review'])
      rememberPath(path)

    expect(rememberedPath()).toBe('/faq')
    rememberPath('/authors')
    expect(rememberedPath()).toBe('/authors')
  })
})

describe('after the sign-in', () => {
  it('a redirect leads to the last page, if cookies were accepted', () => {
    answerCookies(true)
    rememberPath('/gallery')

    expect(afterSignIn('/faq')).toBe('/gallery')
  })

  // covers S2.32
  it('it leads home when they were not, when none is remembered, or without a redirect', () => {
    rememberPath('/gallery')
    expect(afterSignIn('/faq')).toBe('/')

    answerCookies(true)
    expect(afterSignIn('/faq')).toBe('/')
    rememberPath('/gallery')
    expect(afterSignIn(null)).toBe('/')
    expect(afterSignIn('https://evil.example')).toBe('/')
  })

  it('a page that asked for the sign-in gets its visitor back', () => {
    expect(afterSignIn('/checkout')).toBe('/checkout')
    expect(afterSignIn('/account/orders?page=2')).toBe('/account/orders?page=2')
    expect(afterSignIn('/checkouts')).toBe('/')
  })

  it('a remembered path is believed only on this site', () => {
    answerCookies(true)
    localStorage.setItem('last_visited_path', '//evil.example')

    expect(afterSignIn('/faq')).toBe('/')
  })
})
