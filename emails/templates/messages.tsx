import { z } from 'zod'

import { dateFormat } from '#domain/dates.ts'
import { emailGreeting, emailSignature } from '#domain/staff-email.ts'
import { shop } from '#shop'

import { CONFIRM_NEWS_PATH, UNSUBSCRIBE_PATH } from '../outbox/mail-paths.ts'
import { Layout } from '../parts/layout.tsx'
import { Action, Paragraphs, Lines, Paragraph, Muted, MutedLink, Quotation, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const dayAndTime = dateFormat({ dateStyle: 'long', timeStyle: 'short' })

/** Mails that were queued by an older version carry the id without a secret. */
const newsletterSchema = z.object({ signupId: z.string(), unsubscribeSecret: z.string().optional() })

const unsubscribePathOf = ({ signupId, unsubscribeSecret }: z.infer<typeof newsletterSchema>) =>
  `${UNSUBSCRIBE_PATH}/${unsubscribeSecret ?? signupId}`

/** By template name, as in the outbox. */
export const messageMails = {
  /** To the shop. A reply goes to the sender of the message. */
  'contact-notification': template({
    props: z.object({
      name: z.string(),
      email: z.string(),
      subject: z.string(),
      message: z.string(),
    }),
    replyTo: ({ email }) => email,
    subject: ({ name, subject }) => `Message from ${name}: ${subject}`,
    Body: ({ name, email, subject, message }) => (
      <Layout preview={message.slice(0, 120)}>
        <Title>{subject}</Title>
        <Paragraph>
          {name} · {email}
        </Paragraph>
        <Quotation>{message}</Quotation>
        <Muted>Reply to this e-mail to answer {name}.</Muted>
      </Layout>
    ),
  }),

  /** To the sender. It does not repeat the message: otherwise the form could send spam to any address. */
  'contact-received': template({
    props: z.object({ receivedAt: z.string() }),
    subject: () => 'We have your message',
    Body: ({ receivedAt }) => (
      <Layout preview="One of us will reply to you.">
        <Title>We have your message</Title>
        <Paragraph>
          Thank you for writing on {dayAndTime(receivedAt)}. One of us will read it and reply to this address,
          usually within two business days. In a hurry? Call {shop.contact.phone} ({shop.contact.hours[0]}
          ).
        </Paragraph>
        <Muted>
          Didn’t write to us? Then someone mistyped their address. You don’t need to do anything, and we won’t
          e-mail you again.
        </Muted>
      </Layout>
    ),
  }),

  /** To the shop: a catch photo awaits review. */
  'gallery-notification': template({
    props: z.object({
      customerName: z.string(),
      email: z.string().nullish(),
      description: z.string(),
      imageUrl: z.string(),
      submissionId: z.string(),
    }),
    replyTo: ({ email }) => email ?? null,
    subject: ({ customerName }) => `Catch photo from ${customerName} to review`,
    // Without the picture: it has no public address before it is approved.
    Body: ({ customerName, email, description, publicUrl }) => (
      <Layout preview={description.slice(0, 120)}>
        <Title>A new catch</Title>
        <Paragraph>{[customerName, email].filter(Boolean).join(' · ')}</Paragraph>
        <Quotation>{description}</Quotation>
        <Action href={new URL('/admin/gallery', publicUrl).href}>Review the photo</Action>
      </Layout>
    ),
  }),

  /** The double opt-in mail: no news goes out before its link is used. Transactional, so it must not advertise. */
  'newsletter-confirmation': template({
    props: z.object({ secret: z.string(), wording: z.string() }),
    subject: () => `Confirm that you want news from ${shop.name}`,
    Body: ({ publicUrl, secret, wording }) => (
      <Layout preview="Confirm your address to get our news.">
        <Title>Is this you?</Title>
        <Paragraph>
          Someone entered this address at {shop.name} and agreed to: “{wording}”
        </Paragraph>
        <Paragraph>
          Tap the button to confirm. If it wasn’t you, ignore this e-mail: you won’t get any news from us.
        </Paragraph>
        <Action href={`${publicUrl}${CONFIRM_NEWS_PATH}/${secret}`}>Yes, send me news</Action>
      </Layout>
    ),
  }),

  /** To a new subscriber, with the welcome code. */
  'newsletter-signup': template({
    props: newsletterSchema,
    subject: () => `Welcome to ${shop.name}`,
    unsubscribePath: unsubscribePathOf,
    Body: ({ publicUrl, ...link }) => (
      <Layout preview={`Your code ${shop.welcomeCode} is inside.`}>
        <Title>Welcome aboard.</Title>
        <Paragraph>
          We’ll e-mail you when there is something new to fish with: a new lure, a new colour, or a fresh run
          of one that sold out.
        </Paragraph>
        <Paragraph>
          Your code <strong>{shop.welcomeCode}</strong> takes {shop.welcomeOffer.percent}% off your first
          order of R{shop.welcomeOffer.fromRand} or more.
        </Paragraph>
        <Action href={new URL('/products', publicUrl).href}>See the lures</Action>
        <Muted>
          You’re receiving this e-mail from {shop.legal.name} because you signed up with this address.{' '}
          <MutedLink href={`${publicUrl}${unsubscribePathOf(link)}`}>Unsubscribe</MutedLink>
        </Muted>
      </Layout>
    ),
  }),

  /** A message from staff to a client, with a greeting, a signature and the question that it answers. */
  'admin-email': template({
    props: z.object({
      subject: z.string(),
      message: z.string(),
      customerName: z.string().nullish(),
      senderName: z.string().nullish(),
      /** The message from the contact form that this mail answers. */
      question: z.object({ message: z.string(), askedAt: z.string() }).nullish(),
    }),
    subject: ({ subject }) => subject,
    Body: ({ message, customerName, senderName, question }) => {
      const greeting = emailGreeting(message, customerName)
      return (
        <Layout preview={message.slice(0, 120)}>
          {greeting && <Paragraph>{greeting}</Paragraph>}
          <Paragraphs>{message}</Paragraphs>
          <Paragraph>
            <Lines text={emailSignature(senderName).join('\n')} />
          </Paragraph>
          {question && (
            <>
              <Muted>On {dayAndTime(question.askedAt)} you wrote:</Muted>
              <Quotation>{question.message}</Quotation>
            </>
          )}
        </Layout>
      )
    },
  }),
}
