import { z } from 'zod'

import { emailGreeting, emailSignature } from '#domain/staff-email.ts'
import { shop } from '#shop'

import { CONFIRM_NEWS_PATH, UNSUBSCRIBE_PATH } from '../outbox/mail-paths.ts'
import { Layout } from '../parts/layout.tsx'
import { Action, Paragraphs, Lines, Paragraph, Muted, MutedLink, Quotation, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const contactSchema = z.object({
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
})

/** To the shop. A reply goes to the sender of the message. */
export const contactNotification = template<z.infer<typeof contactSchema>>({
  props: contactSchema,
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
})

const receivedSchema = z.object({ receivedAt: z.string() })

/** To the sender. It does not repeat the message: otherwise the form could send spam to any address. */
export const contactReceived = template<z.infer<typeof receivedSchema>>({
  props: receivedSchema,
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

/** To the shop: a catch photo awaits review. */
export const galleryNotification = template<z.infer<typeof gallerySchema>>({
  props: gallerySchema,
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
})

const newsletterConfirmationSchema = z.object({ secret: z.string(), wording: z.string() })

/** The double opt-in mail: no news goes out before its link is used. Transactional, so it must not advertise. */
export const newsletterConfirmation = template<z.infer<typeof newsletterConfirmationSchema>>({
  props: newsletterConfirmationSchema,
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
})

/** Mails that were queued by an older version carry the id without a secret. */
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
        We’ll e-mail you when there is something new to fish with: a new lure, a new colour, or a fresh run of
        one that sold out.
      </Paragraph>
      <Paragraph>
        Your code <strong>{shop.welcomeCode}</strong> takes 5% off your first order of R
        {shop.welcomeOffer.fromRand} or more.
      </Paragraph>
      <Action href={new URL('/products', publicUrl).href}>See the lures</Action>
      <Muted>
        You’re receiving this e-mail from {shop.legal.name} because you signed up with this address.{' '}
        <MutedLink href={`${publicUrl}${unsubscribePathOf(link)}`}>Unsubscribe</MutedLink>
      </Muted>
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

/** A message from staff to a client, with a greeting, a signature and the question that it answers. */
export const adminEmail = template<z.infer<typeof adminSchema>>({
  props: adminSchema,
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
})
