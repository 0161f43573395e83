import { Clock, Mail, MapPin, Phone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { Grid, Hint, Opening, Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { listed } from '../page-meta.ts'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import { ContactForm } from './contact-form.tsx'
import styles from './contact.module.css'

export const meta = listed({
  title: 'Contact',
  description: `Phone ${shop.name}, write to us, or send a message. You talk to the people who make the lures.`,
  path: '/contact',
})

export default function Contact() {
  return (
    <Stack contained="page" width={1200} gap={7} columnGap={8} className={styles.page}>
      <Stack as="header" gap={3} className={styles.head}>
        <h1>Contact</h1>
        <Opening measure={46}>
          You talk to the people who make the lures. A quick answer may be in the <Link to="/faq">FAQ</Link>.
        </Opening>
      </Stack>
      <ContactForm />
      <ContactCards />
    </Stack>
  )
}

function ContactCards() {
  const { hours, location, whatsapp } = shop.contact
  return (
    <Text as="ul" divided="strong">
      <Card Icon={Phone} heading="Phone">
        <PhoneLink />
        <a href={`https://wa.me/${whatsapp}`}>WhatsApp</a>
      </Card>
      <Card Icon={Mail} heading="E-mail">
        <EmailLink />
      </Card>
      <Card Icon={Clock} heading="Business hours">
        {hours.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </Card>
      <Card Icon={MapPin} heading="Location">
        <span>{location}</span>
        <Hint as="span">{facts.address}</Hint>
      </Card>
    </Text>
  )
}

function Card({ Icon, heading, children }: { Icon: LucideIcon; heading: string; children: ReactNode }) {
  return (
    <Grid as="li" divided="below" columns="24px minmax(0, 1fr)" gap={1} columnGap={4} block={4}>
      <Icon size={24} aria-hidden />
      <Text as="h2" size="l" className={styles.cardHeading}>
        {heading}
      </Text>
      <Stack align="start" className={styles.lines}>
        {children}
      </Stack>
    </Grid>
  )
}
