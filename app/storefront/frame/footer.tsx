import { Link } from 'react-router'
import { Grid, Row, Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { NewsletterForm } from './footer-form.tsx'
import styles from './footer.module.css'
import { LogoMark } from './logo-mark.tsx'
import { PhoneLink } from './phone-link.tsx'
import { footerNavigation } from './site-map.ts'

export function Footer() {
  return (
    <footer data-surface="deep">
      <Stack contained gap={7} block={[8, 5]}>
        <p className={styles.brand}>
          <LogoMark />
          <span>{shop.name}</span>
        </p>
        <NewsletterForm />
        <Grid
          columns="repeat(auto-fit, minmax(min(100%, max(9.5rem, 50% - var(--space-5))), 1fr))"
          gap={6}
          columnGap={5}
          className={styles.columns}
        >
          {footerNavigation.map(({ heading, links }) => (
            <nav key={heading} aria-label={heading}>
              <Heading>{heading}</Heading>
              <Text plainLinks as="ul" size="s">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to}>{label}</Link>
                  </li>
                ))}
              </Text>
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
      <Heading>Talk to us</Heading>
      <Text plainLinks as="ul" size="s">
        <li>
          <PhoneLink />
        </li>
        <li>
          <a href={`https://wa.me/${whatsapp}`}>WhatsApp</a>
        </li>
        <li>
          <a href={`mailto:${email}`}>{email}</a>
        </li>
      </Text>
      <Stack as="p" tone="muted" size="s" above={2}>
        {hours.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </Stack>
    </div>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <Text as="h2" size="l" below={2}>
      {children}
    </Text>
  )
}

/** The trader's identity, which the ECT Act requires on every page. */
export function LegalIdentity() {
  const { legal } = shop
  return (
    <Row
      as="div"
      gap={2}
      columnGap={6}
      justify="between"
      align="start"
      wrap
      divided="above"
      tone="muted"
      size="xs"
    >
      <p>
        © {shop.copyrightYear} {shop.name}. All rights reserved.
      </p>
      <p>
        {legal.name}. {legal.status}. {legal.serviceAddress}.
        {legal.vatNumber && ` VAT number ${legal.vatNumber}.`}
      </p>
    </Row>
  )
}
