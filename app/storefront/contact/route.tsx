import { Link } from 'react-router'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import type { Route } from './+types/route'
import { ContactCards } from './contact-cards.tsx'
import { ContactForm } from './contact-form.tsx'
import styles from './contact.module.css'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Contact',
    description: `Phone ${shop.name}, write to us, or send a message. You talk to the people who make the lures.`,
    path: '/contact',
    matches,
  })

export default function Contact() {
  return (
    <Stack gap={7} columnGap={8} className={styles.page}>
      <Stack as="header" gap={3} className={styles.head}>
        <h1>Contact</h1>
        <p>
          You talk to the people who make the lures. A quick answer may be in the <Link to="/faq">FAQ</Link>.
        </p>
      </Stack>
      <ContactForm />
      <ContactCards />
    </Stack>
  )
}
