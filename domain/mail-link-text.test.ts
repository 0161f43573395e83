import { expect, it } from 'vitest'
import { mailLinkText } from './mail-link-text.ts'

it.each([
  ['recovery', 'Choose a new password'],
  ['signup', 'Confirm your e-mail'],
  ['invite', 'Open your account'],
  ['email_change', 'Confirm this address'],
  ['magiclink', 'Sign in'],
  ['', 'Sign in'],
])('titles the page behind a mailed link of type %j “%s”', (type, title) => {
  expect(mailLinkText(type).title).toBe(title)
})
