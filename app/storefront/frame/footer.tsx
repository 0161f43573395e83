import { Link } from 'react-router'
import { Grid, Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { NewsletterForm } from './footer-form.tsx'
import styles from './footer.module.css'
import { LogoMark } from './logo-mark.tsx'
import { PhoneLink } from './phone-link.tsx'
import { footerNavigation } from './site-map.ts'

export function Footer() {
  return (
    <footer data-surface="deep">
      <Stack contained gap={7} className={styles.inner}>
        <p className={styles.brand}>
          <LogoMark />
          <span>{shop.name}</span>
        </p>
        <NewsletterForm />
        <Grid
          columns="repeat(auto-fit, minmax(min(100%, max(8rem, 50% - var(--space-5))), 1fr))"
          gap={6}
          columnGap={5}
          className={styles.columns}
        >
          {footerNavigation.map(({ heading, links }) => (
            <nav key={heading} aria-label={heading}>
              <h2 className={styles.heading}>{heading}</h2>
              <ul className={styles.links}>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to}>{label}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
          <ContactColumn />
        </Grid>
        <LegalIdentity />
      </Stack>
    </footer>
  )
}

function ContactColumn() {
  const { email, whatsapp, hours } = shop.contact
  return (
    <div>
      <h2 className={styles.heading}>Talk to us</h2>
      <ul className={styles.links}>
        <li>
          <PhoneLink />
        </li>
        <li>
          <a href={`https://wa.me/${whatsapp}`}>WhatsApp</a>
        </li>
        <li>
          <a href={`mailto:${email}`}>{email}</a>
        </li>
      </ul>
      <Stack as="p" tone="muted" size="s" className={styles.hours}>
        {hours.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </Stack>
    </div>
  )
}

/** The trader's identity, which the ECT Act requires on every page. */
export function LegalIdentity() {
  const { legal } = shop
  return (
    <div className={styles.legal}>
      <p>
        © {shop.copyrightYear} {shop.name}. All rights reserved.
      </p>
      <p>
        {legal.name}. {legal.status}. {legal.serviceAddress}.
        {legal.vatNumber && ` VAT number ${legal.vatNumber}.`}
      </p>
    </div>
  )
}
