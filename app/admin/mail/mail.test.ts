import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EmailText } from './email-text.tsx'
import { mailAction } from './mail-dialog.tsx'

/** The address, split at its possible line breaks. */
const lines = (email: string) =>
  renderToStaticMarkup(createElement(EmailText, { email }))
    .split('<wbr/>')
    .map((line) => line.replaceAll(/<[^>]*>/g, ''))

it('breaks the line of a short e-mail address only before the @', () => {
  expect(lines('sipho.dlamini@example.co.za')).toEqual(['sipho.dlamini', '@example.co.za'])
})

it('breaks the line of a long e-mail address before the @ and before dots', () => {
  expect(lines('bartholomew.vanderwesthuizen@deepseafishing.co.za')).toEqual([
    'bartholomew',
    '.vanderwesthuizen',
    '@deepseafishing',
    '.co',
    '.za',
  ])
})

it('renders an e-mail address as one element, so it fills only one grid cell', () => {
  expect(renderToStaticMarkup(createElement(EmailText, { email: 'a@b.c' }))).toMatch(/^<span>.*<\/span>$/)
})

const action = (status: 'sent' | 'failed' | 'queued', is_marketing = false, isPacker = false) =>
  mailAction({ status, is_marketing }, { isPacker })

it('sends marketing never twice, and lets packers send no mail again', () => {
  expect([action('sent'), action('failed'), action('queued')]).toEqual(['resend', 'retry', 'retry'])
  expect([action('sent', true), action('failed', true)]).toEqual([null, 'retry'])
  expect([action('sent', false, true), action('failed', false, true)]).toEqual([null, null])
})
