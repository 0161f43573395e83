import { Button, Heading, Link, Text } from '@react-email/components'
import { Fragment, type ReactNode } from 'react'

import { colour } from '#domain/brand.ts'
import { font } from './theme.ts'

interface Children {
  children: ReactNode
}

export function Title({ children }: Children) {
  return (
    <Heading as="h1" className="ink" style={title}>
      {children}
    </Heading>
  )
}

export function Subtitle({ children }: Children) {
  return (
    <Heading
      as="h2"
      className="ink"
      style={{ ...title, fontSize: '20px', lineHeight: '24px', margin: '28px 0 8px' }}
    >
      {children}
    </Heading>
  )
}

export function Paragraph({ children }: Children) {
  return (
    <Text className="ink" style={{ ...body, color: colour.ink }}>
      {children}
    </Text>
  )
}

export function Muted({ children }: Children) {
  return (
    <Text className="muted" style={{ ...body, color: colour.muted, fontSize: '14px', lineHeight: '21px' }}>
      {children}
    </Text>
  )
}

/** Underlined, because the dark styles remove the difference in colour. */
export function MutedLink({ href, children }: Children & { href: string }) {
  return (
    <Link href={href} style={{ color: colour.muted, textDecoration: 'underline' }}>
      {children}
    </Link>
  )
}

/** A visitor's or customer's message. React escapes it. */
export function Quotation({ children }: { children: string }) {
  return (
    <Text className="ink line" style={quotation}>
      <Lines text={children} />
    </Text>
  )
}

/** Splits plain text into paragraphs at blank lines. */
export function Paragraphs({ children }: { children: string }) {
  return children
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== '')
    .map((block, index) => (
      <Paragraph key={index}>
        <Lines text={block.trim()} />
      </Paragraph>
    ))
}

/** Turns line breaks into `<br>`: the conversion to plain text collapses white space. */
export function Lines({ text }: { text: string }) {
  return text.split(/\r?\n/).map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ))
}

export function Action({ href, children }: Children & { href: string }) {
  return (
    <Button href={href} className="action" style={action}>
      {children}
    </Button>
  )
}

const title = {
  margin: '0 0 12px',
  color: colour.ink,
  fontFamily: font.display,
  fontSize: '34px',
  lineHeight: '36px',
  fontWeight: 800,
}

const body = { margin: '0 0 14px', fontSize: '16px', lineHeight: '25px' }

const quotation = {
  ...body,
  color: colour.ink,
  borderLeft: `3px solid ${colour.line}`,
  paddingLeft: '16px',
} as const

const action = {
  display: 'inline-block',
  margin: '10px 0 18px',
  padding: '13px 22px',
  borderRadius: '4px',
  backgroundColor: colour.action,
  color: colour.onAction,
  fontSize: '16px',
  fontWeight: 700,
  textDecoration: 'none',
}
