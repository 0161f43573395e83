import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextArea, TextField } from '#app/ui/field.tsx'
import { formatPrice } from '#domain/money.ts'
import { shopRates } from '#domain/pricing.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import { shop } from '#shop'
import type { CheckoutFields } from './checkout-fields.ts'
import styles from './delivery-fields.module.css'

/** Shipping Information: who, how, and where to. */
export function DeliveryFields({ fields }: { fields: CheckoutFields }) {
  return (
    <>
      <h2>Shipping Information</h2>
      <Contact fields={fields} />
      <Method fields={fields} />
      <Address fields={fields} />
      <Notes fields={fields} />
    </>
  )
}

function Contact({ fields: { textField } }: { fields: CheckoutFields }) {
  return (
    <fieldset className={styles.group}>
      <legend>Contact</legend>
      <TextField label="Full Name" autoComplete="name" required {...textField('full_name')} />
      <div className={styles.pair}>
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          {...textField('email')}
        />
        <TextField
          label="Phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          required
          {...textField('phone')}
        />
      </div>
    </fieldset>
  )
}

const METHODS = [
  { value: 'locker', label: 'Locker', detail: 'A PIN comes by SMS when it is there' },
  {
    value: 'door-to-door',
    label: 'Door-to-Door',
    detail: `${shop.shipping.courier} brings it to your address`,
  },
] as const

function Method({ fields }: { fields: CheckoutFields }) {
  const { typed, change, field, textField } = fields
  const [from, to] = shop.shipping.deliveryDays
  const error = field('shipping_method').error

  return (
    <fieldset className={styles.group} aria-describedby={error ? 'shipping-method-error' : undefined}>
      <legend>Shipping Method</legend>
      <div className={styles.methods}>
        {METHODS.map(({ value, label, detail }) => (
          <label key={value} className={styles.method}>
            <input
              type="radio"
              name="shipping_method"
              value={value}
              checked={typed.shipping_method === value}
              onChange={() => change('shipping_method', value)}
            />
            <strong>{label}</strong>
            <span className={styles.detail}>{detail}</span>
          </label>
        ))}
      </div>
      {error && (
        <p className={styles.error} id="shipping-method-error">
          {error}
        </p>
      )}
      <p className={styles.detail}>
        Both cost {formatPrice(shopRates.flatCents)} and take {from} to {to} business days once packed.
      </p>
      {typed.shipping_method === 'locker' && (
        <TextField
          label="Nearest Locker Location"
          hint="The locker's name or where it stands, such as “Spar, Kenton-on-Sea”."
          required
          {...textField('locker_location')}
        />
      )}
    </fieldset>
  )
}

function Address({ fields: { typed, textField } }: { fields: CheckoutFields }) {
  const isLocker = typed.shipping_method === 'locker'
  return (
    <fieldset className={styles.group}>
      <legend>{isLocker ? 'Your address' : 'Delivery address'}</legend>
      <TextField
        label="Street Address"
        hint="Street, number and suburb. Couriers cannot deliver to a PO box."
        autoComplete="street-address"
        required
        {...textField('address')}
      />
      <div className={styles.pair}>
        <TextField label="City" autoComplete="address-level2" required {...textField('city')} />
        <TextField
          label="Postal Code"
          inputMode="numeric"
          autoComplete="postal-code"
          required
          {...textField('zip_code')}
        />
      </div>
      <SelectField label="State/Province" autoComplete="address-level1" required {...textField('state')}>
        <option value="">Choose your province</option>
        {PROVINCES.map((province) => (
          <option key={province} value={province}>
            {province}
          </option>
        ))}
      </SelectField>
    </fieldset>
  )
}

/** Few orders need a note, so the field waits until it is asked for. */
function Notes({ fields: { typed, textField } }: { fields: CheckoutFields }) {
  const [isAsked, setIsAsked] = useState(typed.notes !== '')
  if (!isAsked) {
    return (
      <Button look="quiet" className={styles.addNote} onClick={() => setIsAsked(true)}>
        Add a note to your order
      </Button>
    )
  }
  // It was asked for: that is where the typing goes on.
  // oxlint-disable-next-line jsx-a11y/no-autofocus
  return <TextArea label="Order Notes" isOptional autoFocus={typed.notes === ''} {...textField('notes')} />
}
