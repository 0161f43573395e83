import { beforeEach, describe, expect, it } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { afterSignIn } from './after-sign-in.ts'
import { answerCookies, readConsent, rememberedPath, rememberPath } from './cookie-consent.ts'

beforeEach(() => {
  installStorage()
})

it('reads the stored answer to the cookie banner', () => {
  expect(readConsent()).toEqual({ hasResponded: false, cookiesAccepted: false })
  answerCookies(false)
  expect(readConsent()).toEqual({ hasResponded: true, cookiesAccepted: false })
  answerCookies(true)
  expect(readConsent()).toEqual({ hasResponded: true, cookiesAccepted: true })
})

it.each(['{', '7', 'null', '{"hasResponded":1,"cookiesAccepted":true}'])(
  'treats the stored cookie answer %s as no answer',
  (stored) => {
    localStorage.setItem('cookie_consent', stored)

    expect(readConsent().hasResponded).toBe(false)
  },
)

describe('the last visited path', () => {
  it('stores the last visited path if cookies are accepted and deletes the path if declined', () => {
    rememberPath('/gallery')
    expect(localStorage.getItem('last_visited_path')).toBeNull()

    answerCookies(true)
    rememberPath('/gallery')
    expect(rememberedPath()).toBe('/gallery')

    answerCookies(false)
    expect(localStorage.getItem('last_visited_path')).toBeNull()
    expect(rememberedPath()).toBeNull()
  })

  it('never stores the sign-in page or the checkout as the last visited path', () => {
    answerCookies(true)
    rememberPath('/faq')

    for (const path of ['/auth', '/auth/', '/auth/confirmed', '/checkout', '/checkout/review'])
      rememberPath(path)

    expect(rememberedPath()).toBe('/faq')
    rememberPath('/authors')
    expect(rememberedPath()).toBe('/authors')
  })
})

describe('afterSignIn', () => {
  it('returns to the last visited page after sign-in if cookies were accepted', () => {
    answerCookies(true)
    rememberPath('/gallery')

    expect(afterSignIn('/faq')).toBe('/gallery')
  })

  // covers S2.32
  it('opens the home page after sign-in without consent, stored path or redirect', () => {
    rememberPath('/gallery')
    expect(afterSignIn('/faq')).toBe('/')

    answerCookies(true)
    expect(afterSignIn('/faq')).toBe('/')
    rememberPath('/gallery')
    expect(afterSignIn(null)).toBe('/')
    expect(afterSignIn('https://evil.example')).toBe('/')
  })

  it('returns to the page that required the sign-in', () => {
    expect(afterSignIn('/checkout')).toBe('/checkout')
    expect(afterSignIn('/account/orders?page=2')).toBe('/account/orders?page=2')
    expect(afterSignIn('/checkouts')).toBe('/')
  })

  it('ignores a stored last path that points to another site', () => {
    answerCookies(true)
    localStorage.setItem('last_visited_path', '//evil.example')

    expect(afterSignIn('/faq')).toBe('/')
  })
})
