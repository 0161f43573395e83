import { useEffect, useState, type ComponentProps } from 'react'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { shippingTexts, useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { ErrorText, Grid, Hint, Pair } from '#app/ui/layout.tsx'
import { useToday } from '#app/ui/use-today.ts'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import { shop } from '#shop'
import type { CheckoutFields } from './draft.ts'
import styles from './delivery-fields.module.css'
import { LockerField } from './locker-field.tsx'
import { useProvinceGuess } from './use-province-guess.ts'

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

function Group({ legend, children, ...rest }: ComponentProps<'fieldset'> & { legend: string }) {
  return (
    <fieldset className={styles.group} {...rest}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

function Contact({ fields: { textField } }: { fields: CheckoutFields }) {
  return (
    <Group legend="Contact">
      <TextField label="Full Name" autoComplete="name" required {...textField('full_name')} />
      <Pair gap={4}>
        <TextField label="E-mail" type="email" autoComplete="email" required {...textField('email')} />
        <TextField label="Phone" type="tel" autoComplete="tel" required {...textField('phone')} />
      </Pair>
    </Group>
  )
}

const METHODS = [
  { value: 'locker', label: 'Locker', detail: 'You get a PIN by SMS when it arrives' },
  {
    value: 'door-to-door',
    label: 'Door-to-Door',
    detail: `${shop.shipping.courier} brings it to your address`,
  },
] as const

function Method({ fields }: { fields: CheckoutFields }) {
  const { typed, change, field } = fields
  const { flatRate, freeFrom, offersLocker } = shippingTexts(useShippingTerms())
  const error = field('shipping_method').error
  useEffect(() => {
    if (!offersLocker && typed.shipping_method === 'locker') change('shipping_method', 'door-to-door')
  }, [offersLocker, typed.shipping_method, change])
  const dates = deliveryDates(useToday())
  const arrival = useCart().lines.some((line) => line.mustBeMade) ? dates.madeToOrder : dates.onShelf

  return (
    <Group legend="Shipping Method" aria-describedby={error ? 'shipping-method-error' : undefined}>
      <Pair gap={3}>
        {METHODS.filter(({ value }) => offersLocker || value !== 'locker').map(({ value, label, detail }) => (
          <Grid
            as="label"
            key={value}
            columns="24px 1fr"
            columnGap={3}
            align="start"
            className={styles.method}
          >
            <input
              type="radio"
              name="shipping_method"
              value={value}
              checked={typed.shipping_method === value}
              onChange={() => change('shipping_method', value)}
            />
            <strong>{label}</strong>
            <Hint as="span">{detail}</Hint>
          </Grid>
        ))}
      </Pair>
      <ErrorText size="s" id="shipping-method-error">
        {error}
      </ErrorText>
      <Hint>
        {offersLocker ? 'Both cost' : 'It costs'} {flatRate}, and nothing on orders from {freeFrom}. Pay today
        and it should reach you <strong>{arrival}</strong>.
      </Hint>
      {typed.shipping_method === 'locker' && <LockerField fields={fields} />}
    </Group>
  )
}

function Address({ fields }: { fields: CheckoutFields }) {
  const { typed, textField } = fields
  const isLocker = typed.shipping_method === 'locker'
  const province = useProvinceGuess(fields)
  const city = textField('city')
  const postalCode = textField('zip_code')
  return (
    <Group legend={isLocker ? 'Your address' : 'Delivery address'}>
      <TextField
        label="Street Address"
        hint="Street, number and suburb. Couriers cannot deliver to a PO box."
        autoComplete="street-address"
        required
        {...textField('address')}
      />
      <Pair gap={4}>
        <TextField
          label="City"
          autoComplete="address-level2"
          required
          {...city}
          onChange={(event) => {
            city.onChange(event)
            province.suggest({ city: event.currentTarget.value })
          }}
        />
        <TextField
          label="Postal Code"
          inputMode="numeric"
          autoComplete="postal-code"
          required
          {...postalCode}
          onChange={(event) => {
            postalCode.onChange(event)
            province.suggest({ zip_code: event.currentTarget.value })
          }}
        />
      </Pair>
      <SelectField
        label="State/Province"
        hint={province.isGuess ? "Filled in from your town or postal code. Change it if it's wrong." : null}
        autoComplete="address-level1"
        required
        {...textField('state')}
        onChange={(event) => province.choose(event.currentTarget.value)}
      >
        <option value="">Choose your province</option>
        {PROVINCES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </Group>
  )
}

/** Few orders need a note, so a button reveals the field. */
function Notes({ fields: { typed, textField } }: { fields: CheckoutFields }) {
  const [isShown, setIsShown] = useState(typed.notes !== '')
  if (!isShown) {
    return (
      <Button look="quiet" place="flush" onClick={() => setIsShown(true)}>
        Add a note to your order
      </Button>
    )
  }
  // The buyer has just asked for the field.
  // oxlint-disable-next-line jsx-a11y/no-autofocus
  return <TextArea label="Order Notes" isOptional autoFocus={typed.notes === ''} {...textField('notes')} />
}
