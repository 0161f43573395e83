import { useEffect } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Grid, Row, Section, Text, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { OrderLine } from '#domain/order.ts'
import { useOrderLines } from './order-queries.ts'

const FAILED = 'Failed to load order items'

export function OrderItems({ orderId }: { orderId: string }) {
  const lines = useOrderLines(orderId)
  const toast = useToast()

  useEffect(() => {
    if (lines.isError) toast({ title: 'Error', description: FAILED, tone: 'destructive' })
  }, [lines.isError, toast])

  return (
    <Section title="Items" gap={2} aria-busy={lines.isPending}>
      {lines.isError && <p>{FAILED}</p>}
      {lines.isPending && <Skeleton height={72} />}
      {lines.data?.length === 0 && <p>No items found</p>}
      {lines.data && lines.data.length > 0 && (
        <Stack as="ul">
          {lines.data.map((line) => (
            <Item key={line.id} line={line} />
          ))}
        </Stack>
      )}
    </Section>
  )
}

function Item({ line }: { line: OrderLine }) {
  return (
    <Grid divided="both" as="li" columns="auto 1fr auto" gap={3} align="center">
      {line.pictureUrl && <Thumbnail src={line.pictureUrl} size={56} />}
      <div>
        <Text weight={650}>{line.name}</Text>
        <Row as="p" gap={1} columnGap={3} wrap tone="muted" size="s">
          {line.variant && <span>{line.variant}</span>}
          {line.renamedVariant && <span>now: {line.renamedVariant}</span>}
          {line.hooks && <Badge>{line.hooks}</Badge>}
          <span>Quantity: {line.quantity}</span>
          {line.returned > 0 && <Badge tone="warning">{line.returned} taken off</Badge>}
        </Row>
      </div>
      <Price cents={line.totalCents} as="total" />
    </Grid>
  )
}
