import { TriangleAlert } from 'lucide-react'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import type { CheckoutFields, Draft } from './draft.ts'
import styles from './error-summary.module.css'

/** The fields in page order. */
const IN_ORDER = [
  'full_name',
  'email',
  'phone',
  'shipping_method',
  'locker_location',
  'address',
  'city',
  'zip_code',
  'state',
  'notes',
  'accept_terms',
] as const satisfies (keyof Draft)[]

/** Lists the remaining errors, each with a link to its field. */
export function ErrorSummary({ fields: { typed, errors, focus } }: { fields: CheckoutFields }) {
  const isVisible = (name: keyof Draft) => name !== 'locker_location' || typed.shipping_method === 'locker'
  const invalid = IN_ORDER.filter((name) => errors[name] && isVisible(name))
  if (invalid.length === 0) return null
  return (
    <Panel as="section" kind="danger" gap={1} tone="danger" aria-label="Please check">
      <Row as="p" gap={2} weight={650}>
        <TriangleAlert size={18} aria-hidden />
        {invalid.length === 1 ? 'Please correct one field' : `Please correct ${invalid.length} fields`}
      </Row>
      <Stack as="ul" align="start">
        {invalid.map((name) => (
          <li key={name}>
            <button type="button" className={styles.link} onClick={() => focus(name)}>
              {errors[name]}
            </button>
          </li>
        ))}
      </Stack>
    </Panel>
  )
}
