import { Column, Img, Row, Section, Text } from '@react-email/components'

import { formatTotal } from '#domain/money.ts'
import { orderSums, returnedText, type OrderLine } from '#domain/order.ts'

import type { MailedOrder } from './order.ts'
import { smallPicture } from './picture.ts'
import { colour } from '#domain/brand.ts'

interface OrderLinesProps {
  order: MailedOrder
  publicUrl: string
}

/** The lines of the order, then its subtotal, shipping, discount and total. */
export function OrderLinesAndTotals({ order, publicUrl }: OrderLinesProps) {
  return (
    <>
      <Section>
        {order.lines.map((line, index) => (
          <Line key={index} line={line} publicUrl={publicUrl} />
        ))}
      </Section>
      <Section style={{ padding: '14px 0 10px' }}>
        {orderSums(order).map(({ label, cents }) => (
          <Sum key={label} label={label} cents={cents} />
        ))}
        <Sum label="Total" cents={order.totalCents} isTotal />
      </Section>
    </>
  )
}

function Line({ line, publicUrl }: { line: OrderLine; publicUrl: string }) {
  const returned = returnedText(line)
  return (
    <Row className="line columns" style={{ borderBottom: `1px solid ${colour.line}` }}>
      {line.pictureUrl && (
        <Column style={{ width: '76px', padding: '12px 12px 12px 0', verticalAlign: 'top' }}>
          <Img
            src={smallPicture(line.pictureUrl, publicUrl, 160)}
            width="64"
            height="64"
            alt=""
            style={{ borderRadius: '4px' }}
          />
        </Column>
      )}
      <Column style={{ padding: '12px 0', verticalAlign: 'top' }}>
        <Text className="ink" style={{ ...cell, fontWeight: 600 }}>
          {line.name}
        </Text>
        <Text className="muted" style={{ ...cell, color: colour.muted, fontSize: '14px' }}>
          {[line.variant, line.hooks].filter(Boolean).join(' · ')}
        </Text>
        <Text className="muted" style={{ ...cell, color: colour.muted, fontSize: '14px' }}>
          {line.quantity} × {formatTotal(line.priceCents)}
        </Text>
        {returned && (
          <Text className="ink" style={{ ...cell, fontSize: '14px', fontWeight: 600 }}>
            {returned}
          </Text>
        )}
      </Column>
      <Column align="right" style={{ padding: '12px 0', verticalAlign: 'top', whiteSpace: 'nowrap' }}>
        <Text className="ink" style={{ ...cell, ...figures }}>
          {formatTotal(line.totalCents)}
        </Text>
      </Column>
    </Row>
  )
}

function Sum({ label, cents, isTotal = false }: { label: string; cents: number; isTotal?: boolean }) {
  const weight = isTotal ? { fontWeight: 800, fontSize: '19px', lineHeight: '30px' } : {}
  return (
    <Row className="columns">
      <Column>
        <Text className="ink" style={{ ...cell, ...weight }}>
          {label}
        </Text>
      </Column>
      <Column align="right">
        <Text className="ink" style={{ ...cell, ...figures, ...weight }}>
          {amountText(cents)}
        </Text>
      </Column>
    </Row>
  )
}

function amountText(cents: number): string {
  if (cents === 0) return 'Free'
  return cents < 0 ? `−${formatTotal(-cents)}` : formatTotal(cents)
}

const cell = { margin: 0, color: colour.ink, fontSize: '16px', lineHeight: '24px' }
const figures = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const
