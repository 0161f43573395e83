import { z } from 'zod'

import { letterGreeting, letterSignature } from '#domain/letter.ts'
import { shop } from '#shop'

import { CONFIRM_NEWS_PATH, UNSUBSCRIBE_PATH } from '../outbox/mail-paths.ts'
import { Layout } from '../parts/layout.tsx'
import { Action, Letter, Lines, Paragraph, Quiet, QuietLink, Quotation, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const contactSchema = z.object({
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
})

/** To the shop; an answer goes to the person who wrote. */
export const contactNotification = template<z.infer<typeof contactSchema>>({
  props: contactSchema,
  replyTo: ({ email }) => email,
  subject: ({ name, subject }) => `${name} writes: ${subject}`,
  Body: ({ name, email, subject, message }) => (
    <Layout preview={message.slice(0, 120)}>
      <Title>{subject}</Title>
      <Paragraph>
        {name} · {email}
      </Paragraph>
      <Quotation>{message}</Quotation>
      <Quiet>Reply to this e-mail to answer {name}.</Quiet>
    </Layout>
  ),
})

const receivedSchema = z.object({ receivedAt: z.string() })

/** To whoever wrote. What they wrote is not repeated: the address may be somebody else's. */
export const contactReceived = template<z.infer<typeof receivedSchema>>({
  props: receivedSchema,
  subject: () => 'We have your message',
  Body: ({ receivedAt }) => (
    <Layout preview="One of us answers you.">
      <Title>We have your message</Title>
      <Paragraph>
        Thank you for writing on {dayAndTime(receivedAt)}. One of us reads it at the bench and answers to this
        address, usually within two business days. In a hurry? Call {shop.contact.phone} (
        {shop.contact.hours[0]}
        ).
      </Paragraph>
      <Quiet>
        You did not write to us? Then somebody mistyped their address. There is nothing to do, and no other
        mail follows.
      </Quiet>
    </Layout>
  ),
})

function dayAndTime(instant: string): string {
  return new Intl.DateTimeFormat(shop.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: shop.timeZone,
  }).format(new Date(instant))
}

const gallerySchema = z.object({
  customerName: z.string(),
  email: z.string().nullish(),
  description: z.string(),
  imageUrl: z.string(),
  submissionId: z.string(),
})

/** To the shop: a catch waits for approval. */
export const galleryNotification = template<z.infer<typeof gallerySchema>>({
  props: gallerySchema,
  replyTo: ({ email }) => email ?? null,
  subject: ({ customerName }) => `A catch photo from ${customerName} waits for you`,
  // No picture: it has no public address before it is approved.
  Body: ({ customerName, email, description, publicUrl }) => (
    <Layout preview={description.slice(0, 120)}>
      <Title>A new catch</Title>
      <Paragraph>{[customerName, email].filter(Boolean).join(' · ')}</Paragraph>
      <Quotation>{description}</Quotation>
      <Action href={new URL('/admin/gallery', publicUrl).href}>Approve or decline</Action>
    </Layout>
  ),
})

const newsletterConfirmationSchema = z.object({ secret: z.string(), wording: z.string() })

/** Asks the mailbox whether it wants news; without its link no news goes out. Transactional: it advertises nothing. */
export const newsletterConfirmation = template<z.infer<typeof newsletterConfirmationSchema>>({
  props: newsletterConfirmationSchema,
  subject: () => `Confirm that you want news from ${shop.name}`,
  Body: ({ publicUrl, secret, wording }) => (
    <Layout preview="One press, and our news will reach you.">
      <Title>Is this you?</Title>
      <Paragraph>
        This address was entered at {shop.name} with the words “{wording}”
      </Paragraph>
      <Paragraph>
        Press the button to confirm. If it wasn’t you, ignore this e-mail: you won’t get any news from us.
      </Paragraph>
      <Action href={`${publicUrl}${CONFIRM_NEWS_PATH}/${secret}`}>Yes, send me news</Action>
    </Layout>
  ),
})

/** Mails that were queued before links had secrets carry the id alone. */
const newsletterSchema = z.object({ signupId: z.string(), unsubscribeSecret: z.string().optional() })

const unsubscribePathOf = ({ signupId, unsubscribeSecret }: z.infer<typeof newsletterSchema>) =>
  `${UNSUBSCRIBE_PATH}/${unsubscribeSecret ?? signupId}`

/** To a new subscriber, with the welcome code. */
export const newsletterSignup = template<z.infer<typeof newsletterSchema>>({
  props: newsletterSchema,
  subject: () => `Welcome to ${shop.name}`,
  unsubscribePath: unsubscribePathOf,
  Body: ({ publicUrl, ...link }) => (
    <Layout preview={`Your code ${shop.welcomeCode} is inside.`}>
      <Title>Welcome aboard.</Title>
      <Paragraph>
        You hear from us when there is something to fish with: a new lure, a new colour, a run of the ones
        that sold out.
      </Paragraph>
      <Paragraph>
        Your code <strong>{shop.welcomeCode}</strong> takes 5% off your first order over R
        {shop.welcomeOffer.fromRand}.
      </Paragraph>
      <Action href={new URL('/products', publicUrl).href}>See the lures</Action>
      <Quiet>
        {shop.legal.name} sends this because you signed up with this address.{' '}
        <QuietLink href={`${publicUrl}${unsubscribePathOf(link)}`}>Unsubscribe</QuietLink>
      </Quiet>
    </Layout>
  ),
})

const adminSchema = z.object({
  subject: z.string(),
  message: z.string(),
  customerName: z.string().nullish(),
  senderName: z.string().nullish(),
  /** The message from the contact form that this mail answers. */
  question: z.object({ message: z.string(), askedAt: z.string() }).nullish(),
})

/** A letter of staff to a client: their own words, greeted and signed, below them the question that they answer. */
export const adminEmail = template<z.infer<typeof adminSchema>>({
  props: adminSchema,
  subject: ({ subject }) => subject,
  Body: ({ message, customerName, senderName, question }) => {
    const greeting = letterGreeting(message, customerName)
    return (
      <Layout preview={message.slice(0, 120)}>
        {greeting && <Paragraph>{greeting}</Paragraph>}
        <Letter>{message}</Letter>
        <Paragraph>
          <Lines text={letterSignature(senderName).join('\n')} />
        </Paragraph>
        {question && (
          <>
            <Quiet>On {dayAndTime(question.askedAt)} you wrote:</Quiet>
            <Quotation>{question.message}</Quotation>
          </>
        )}
      </Layout>
    )
  },
})
