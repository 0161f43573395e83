import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { normalisePostalCode, formatPhone } from '#domain/south-africa.ts'
import { noWrap } from '#app/ui/no-wrap.tsx'
import type { CheckoutFields } from './checkout-fields.ts'
import styles from './review.module.css'

/** Lets the buyer review and correct the order before placing it (ECT Act s43(2)). */
export function Review({ fields: { typed, focus } }: { fields: CheckoutFields }) {
  const isLocker = typed.shipping_method === 'locker'

  return (
    <section className={styles.review} aria-labelledby="check-order">
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
    </section>
  )
}

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <div>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      <Button look="quiet" aria-label={`Edit: ${title}`} onClick={onEdit}>
        Edit
      </Button>
    </div>
  )
}

const PHONE = /^\+?[\d ]+$/

function textList(...texts: string[]) {
  const filled = texts.map((text) => text.trim()).filter(Boolean)
  if (filled.length === 0) return <p className={styles.missing}>Not filled in yet</p>
  return <p>{filled.map((text, at) => [at > 0 && ', ', PHONE.test(text) ? noWrap(text) : text])}</p>
}
