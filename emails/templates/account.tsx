import { z } from 'zod'

import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { Action, Paragraph, Muted, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

interface LinkMailText {
  subject: string
  title: string
  text: string
  action: string
  /** For a reader who did not trigger the mail. */
  ifNotYou?: string
}

/** An account mail with one paragraph and one link. */
function linkMail({ subject, title, text, action, ifNotYou }: LinkMailText) {
  return template({
    props: z.object({ link: z.url() }),
    subject: () => `${subject} ${shop.name}`,
    Body: ({ link }) => (
      <Layout preview={text}>
        <Title>{title}</Title>
        <Paragraph>{text}</Paragraph>
        <Action href={link}>{action}</Action>
        {ifNotYou ? <Muted>{ifNotYou}</Muted> : <IfNotYou />}
      </Layout>
    ),
  })
}

/** By template name, as in the outbox. */
export const accountMails = {
  'email-confirmation': linkMail({
    subject: 'Confirm your e-mail for',
    title: 'Confirm your e-mail',
    text: 'One tap and your account is ready.',
    action: 'Confirm my e-mail',
    ifNotYou:
      'Didn’t sign up? Then please don’t tap the button: it would confirm an account that someone else opened with your address. If you do nothing, nothing happens.',
  }),

  /** For an account that works already and whose address is unconfirmed. */
  'email-verification': linkMail({
    subject: 'Confirm your e-mail for',
    title: 'Confirm your e-mail',
    text: 'There is an account with this address. Tap the button to confirm that the address is yours. If you are not signed in, we’ll ask you to choose a new password.',
    action: 'Confirm my e-mail',
  }),

  'password-recovery': linkMail({
    subject: 'Choose a new password for',
    title: 'Choose a new password',
    text: 'Tap the button to choose a new password. The link works once and expires in one hour.',
    action: 'Choose a new password',
  }),

  'sign-in-link': linkMail({
    subject: 'Your sign-in link for',
    title: 'Sign in',
    text: 'Tap the button to sign in. The link works once and expires in one hour.',
    action: 'Sign in',
  }),

  invitation: linkMail({
    subject: 'You are invited to',
    title: 'An account is waiting for you',
    text: 'Tap the button to open your account and choose a password.',
    action: 'Open my account',
  }),

  'email-change-from-here': linkMail({
    subject: 'Confirm your change of e-mail address at',
    title: 'Change your e-mail address',
    text: 'You asked to use another e-mail address for your account. Please confirm the change from this address, too.',
    action: 'Confirm the change',
  }),

  'email-change-to-here': linkMail({
    subject: 'Confirm your new e-mail for',
    title: 'Confirm your new address',
    text: 'One tap and your account uses this address.',
    action: 'Use this address',
  }),

  reauthentication: template({
    props: z.object({ code: z.string().regex(/^\d{6}$/) }),
    subject: ({ code }) => `${code} is your ${shop.name} code`,
    Body: ({ code }) => (
      <Layout preview="Enter this code on the page that asked for it.">
        <Title>{code}</Title>
        <Paragraph>This is your code. Enter it on the page that asked for it.</Paragraph>
        <Muted>Didn’t ask for this? Ignore this e-mail: nothing changes without the code.</Muted>
      </Layout>
    ),
  }),

  /** Goes to the former address of the account, which no longer exists when the mail is sent. */
  'account-closed': template({
    props: z.strictObject({}),
    subject: () => `Your ${shop.name} account is closed`,
    Body: () => (
      <Layout preview="Your account and your profile are deleted.">
        <Title>Your account is closed</Title>
        <Paragraph>
          We have deleted your sign-in, profile and cart, and we won’t send you any more news. Tax law
          requires us to keep your orders for five years; after that we remove your name and address from
          them.
        </Paragraph>
        <Muted>Wasn’t this you? Write to us at {shop.contact.email} right away.</Muted>
      </Layout>
    ),
  }),
}

function IfNotYou() {
  return <Muted>Didn’t ask for this? Ignore this e-mail: nothing changes unless you tap the button.</Muted>
}
