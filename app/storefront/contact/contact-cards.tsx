import { Clock, Mail, MapPin, Phone, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { Grid, Hint } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import styles from './contact.module.css'

export function ContactCards() {
  const { hours, location, whatsapp } = shop.contact
  return (
    <ul className={styles.cards}>
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
    </ul>
  )
}

function Card({ Icon, heading, children }: { Icon: LucideIcon; heading: string; children: ReactNode }) {
  return (
    <Grid as="li" columns="24px minmax(0, 1fr)" gap={1} columnGap={4} className={styles.card}>
      <Icon size={24} aria-hidden />
      <h2 className={styles.cardHeading}>{heading}</h2>
      <div className={styles.lines}>{children}</div>
    </Grid>
  )
}
