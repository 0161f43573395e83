import { Fragment, type ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { normalisePostalCode, formatPhone } from '#domain/south-africa.ts'
import { noWrap } from '#app/ui/no-wrap.tsx'
import type { CheckoutFields } from './draft.ts'
import styles from './review.module.css'

/** Lets the buyer review and correct the order before placing it (ECT Act s43(2)). */
export function Review({ fields: { typed, focus } }: { fields: CheckoutFields }) {
  const isLocker = typed.shipping_method === 'locker'

  return (
    <Stack as="section" divided="above" gap={3} size="s" aria-labelledby="check-order">
      <h3 id="check-order">Check before you order</h3>
      <Part title="Contact" onEdit={() => focus('full_name')}>
        {textList(typed.full_name, typed.email, formatPhone(typed.phone))}
      </Part>
      <Part
        title={isLocker ? 'To your locker' : 'To your door'}
        onEdit={() => focus(isLocker ? 'locker_location' : 'address')}
      >
        {isLocker && typed.locker_location && <p>{typed.locker_location}</p>}
        {textList(typed.address, typed.city, `${typed.state} ${normalisePostalCode(typed.zip_code)}`)}
      </Part>
      {typed.notes && (
        <Part title="Note" onEdit={() => focus('notes')}>
          {textList(typed.notes)}
        </Part>
      )}
    </Stack>
  )
}

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }) {
  return (
    <Grid columns="1fr auto" gap={3} align="start" className={styles.part}>
      <Text as="div" shrinks>
        <Text weight={650}>{title}</Text>
        {children}
      </Text>
      <Button look="quiet" aria-label={`Edit: ${title}`} onClick={onEdit}>
        Edit
      </Button>
    </Grid>
  )
}

const PHONE = /^\+?[\d ]+$/

function textList(...texts: string[]) {
  const filled = texts.map((text) => text.trim()).filter(Boolean)
  if (filled.length === 0) return <Text tone="muted">Not filled in yet</Text>
  return (
    <p>
      {filled.map((text, at) => (
        <Fragment key={at}>
          {at > 0 && ', '}
          {PHONE.test(text) ? noWrap(text) : text}
        </Fragment>
      ))}
    </p>
  )
}
