import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EmailText } from './email-text.tsx'

/** The address in the lines that it may be set in. */
const lines = (email: string) =>
  renderToStaticMarkup(createElement(EmailText, { email }))
    .split('<wbr/>')
    .map((line) => line.replaceAll(/<[^>]*>/g, ''))

it('breaks a short e-mail address before its @ alone', () => {
  expect(lines('sipho.dlamini@example.co.za')).toEqual(['sipho.dlamini', '@example.co.za'])
})

it('breaks the long half of an e-mail address before its dots as well, and never inside a word', () => {
  expect(lines('bartholomew.vanderwesthuizen@deepseafishing.co.za')).toEqual([
    'bartholomew',
    '.vanderwesthuizen',
    '@deepseafishing',
    '.co',
    '.za',
  ])
})

it('is one element, so that a card’s grid keeps an address in its cell', () => {
  expect(renderToStaticMarkup(createElement(EmailText, { email: 'a@b.c' }))).toMatch(/^<span>.*<\/span>$/)
})
