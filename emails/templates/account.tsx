import { z } from 'zod'

import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { Action, Paragraph, Quiet, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const linkSchema = z.object({ link: z.url() })
type WithLink = z.infer<typeof linkSchema>

const codeSchema = z.object({ code: z.string().regex(/^\d{6}$/) })

interface LinkWords {
  subject: string
  title: string
  text: string
  action: string
  /** For a reader who did not cause the mail. */
  ifNotYou?: string
}

/** A mail about an account that says one thing and has one link. */
function linkMail({ subject, title, text, action, ifNotYou }: LinkWords) {
  return template<WithLink>({
    props: linkSchema,
    subject: () => `${subject} ${shop.name}`,
    Body: ({ link }) => (
      <Layout preview={text}>
        <Title>{title}</Title>
        <Paragraph>{text}</Paragraph>
        <Action href={link}>{action}</Action>
        {ifNotYou ? <Quiet>{ifNotYou}</Quiet> : <IfNotYou />}
      </Layout>
    ),
  })
}

export const emailConfirmation = linkMail({
  subject: 'Confirm your e-mail for',
  title: 'Confirm your e-mail',
  text: 'One tap and your account is ready.',
  action: 'Confirm my e-mail',
  ifNotYou:
    'You did not sign up? Then do not tap the button: it would confirm the account of the person who typed your address. Without it, nothing happens.',
})

/** For an account that can already sign in. */
export const emailVerification = linkMail({
  subject: 'Confirm your e-mail for',
  title: 'Confirm your e-mail',
  text: 'There is an account with this address. Tap the button to confirm that the address is yours. In a browser where you are not signed in, you then choose a new password.',
  action: 'Confirm my e-mail',
})

export const passwordRecovery = linkMail({
  subject: 'Choose a new password for',
  title: 'Choose a new password',
  text: 'The link works once and for one hour.',
  action: 'Choose a new password',
})

export const signInLink = linkMail({
  subject: 'Your sign-in link for',
  title: 'Sign in',
  text: 'The link works once and for one hour.',
  action: 'Sign in',
})

export const invitation = linkMail({
  subject: 'You are invited to',
  title: 'An account is waiting for you',
  text: 'Open the link to take it over and choose a password.',
  action: 'Open my account',
})

export const emailChangeFromHere = linkMail({
  subject: 'Is your account moving to another address at',
  title: 'Moving to another address',
  text: 'You asked to use another e-mail address for your account. Please confirm it from this one, too.',
  action: 'Yes, move my account',
})

export const emailChangeToHere = linkMail({
  subject: 'Confirm your new e-mail for',
  title: 'Confirm your new address',
  text: 'One tap and your account uses this address.',
  action: 'Use this address',
})

export const reauthentication = template<z.infer<typeof codeSchema>>({
  props: codeSchema,
  subject: ({ code }) => `${code} is your ${shop.name} code`,
  Body: ({ code }) => (
    <Layout preview="Type it in where you were asked for it.">
      <Title>{code}</Title>
      <Paragraph>This is your code. Type it in where you were asked for it.</Paragraph>
      <Quiet>You did not ask for this? Then leave it: nothing changes without the code.</Quiet>
    </Layout>
  ),
})

/** Goes to the address that the account had; the account is gone by then. */
export const accountClosed = template<Record<string, never>>({
  props: z.strictObject({}),
  subject: () => `Your ${shop.name} account is closed`,
  Body: () => (
    <Layout preview="Your account and your profile are deleted.">
      <Title>Your account is closed</Title>
      <Paragraph>
        Your sign-in, profile and cart are deleted, and we send you no more news. Orders that you paid for are
        kept for five years, because tax law asks for it, and then lose your name and address.
      </Paragraph>
      <Quiet>You did not do this? Write to us at {shop.contact.email} at once.</Quiet>
    </Layout>
  ),
})

function IfNotYou() {
  return <Quiet>You did not ask for this? Then leave it: nothing changes without the link.</Quiet>
}
