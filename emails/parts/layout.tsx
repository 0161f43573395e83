import { Body, Container, Head, Html, Preview, Section, Text } from '@react-email/components'
import type { ReactNode } from 'react'

import { shop } from '#shop'

import { MutedLink } from './text.tsx'
import { colour } from '#domain/brand.ts'
import { darkStyles, font } from './theme.ts'

interface LayoutProps {
  /** Mail programs show it beside the subject. */
  preview: string
  children: ReactNode
}

export function Layout({ preview, children }: LayoutProps) {
  return (
    <Html lang="en-ZA">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkStyles}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="page" style={{ backgroundColor: colour.paper, margin: 0, fontFamily: font.text }}>
        <Container style={{ maxWidth: '600px', margin: '0 auto', padding: '24px 12px' }}>
          <Section
            className="edge"
            style={{ backgroundColor: colour.sea, borderRadius: '4px 4px 0 0', padding: '22px 32px' }}
          >
            <Text style={wordmark}>{shop.name}</Text>
          </Section>
          <Section className="card edge" style={{ backgroundColor: colour.card, padding: '32px' }}>
            {children}
          </Section>
          <Footer />
        </Container>
      </Body>
    </Html>
  )
}

/** The trader's name and address, required in every mail (ECT Act s43). */
function Footer() {
  const { contact, legal } = shop
  return (
    <Section className="edge" style={{ padding: '20px 32px' }}>
      <Text className="muted" style={{ ...small, margin: 0 }}>
        {legal.name} · {legal.serviceAddress}
        <br />
        <MutedLink href={`tel:${contact.phone.replaceAll(' ', '')}`}>{contact.phone}</MutedLink>
        {' · '}
        <MutedLink href={`mailto:${contact.email}`}>{contact.email}</MutedLink>
      </Text>
    </Section>
  )
}

const wordmark = {
  margin: 0,
  color: colour.onDark,
  fontFamily: font.display,
  fontSize: '30px',
  lineHeight: '32px',
  fontWeight: 800,
  letterSpacing: '0.04em',
  textTransform: 'uppercase',
} as const

const small = { color: colour.muted, fontSize: '13px', lineHeight: '20px' }
