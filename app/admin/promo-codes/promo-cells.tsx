import { Ban, CircleCheck, CopyPlus, Pencil, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { Row, Text, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { Switch } from '#app/ui/switch.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { isExpired, PROMO_STATES, useSwitchPromoCode, type PromoCode } from './promo-code.ts'
import { CopyButton } from '../frame/copy-button.tsx'

export function CodeWithCopy({ code }: { code: string }) {
  return (
    <Row as="span" inline gap={1} weight={700}>
      {code} <CopyButton label={`Copy ${code}`} text={code} />
    </Row>
  )
}

const EXPIRED = { tone: 'danger', weight: 600 } as const

export function Expiry({ promo }: { promo: PromoCode }) {
  if (promo.expires_at === null) return 'Never'
  return (
    <Text as="span" {...(isExpired(promo) && EXPIRED)}>
      <LocalDate at={promo.expires_at} />
    </Text>
  )
}

export function PromoStatus({ promo }: { promo: PromoCode }) {
  const { state, starts_at } = promo
  return (
    <Stack as="span" align="start">
      {promo.is_active && !isExpired(promo) ? (
        <Badge icon={CircleCheck} tone={state === 'live' ? 'success' : 'warning'}>
          Active
        </Badge>
      ) : (
        <Badge icon={Ban}>Inactive</Badge>
      )}
      {state !== 'live' && (
        <Text as="span" tone="muted" size="xs" noWrap>
          {PROMO_STATES[state]}
          {state === 'scheduled' && starts_at && (
            <>
              {' '}
              from <LocalDate at={starts_at} />
            </>
          )}
        </Text>
      )}
    </Stack>
  )
}

/** Revenue of the code's paid orders, net of refunds, and the discount given. */
export function PromoRevenue({ promo: { revenue, paid_orders, discounted } }: { promo: PromoCode }) {
  if (paid_orders === 0)
    return (
      <Text as="span" tone="muted" size="xs" noWrap>
        Nothing yet
      </Text>
    )
  return (
    <Stack as="span" align="end">
      <Price cents={centsFromRand(revenue)} as="total" />
      <Text as="span" tone="muted" size="xs" noWrap>
        {paid_orders} paid, {formatTotal(centsFromRand(discounted))} off
      </Text>
    </Stack>
  )
}

export interface RowActions {
  onEdit: (promo: PromoCode) => void
  onDuplicate: (promo: PromoCode) => void
  onDelete: (promo: PromoCode) => void
}

export function PromoActions({ promo, onEdit, onDuplicate, onDelete }: RowActions & { promo: PromoCode }) {
  const switchPromo = useSwitchPromoCode(promo.id)
  const isOn = switchPromo.isPending ? switchPromo.variables : promo.is_active

  return (
    <Row as="span" inline gap={1}>
      <Switch
        label={`${promo.code} is active`}
        isOn={isOn}
        disabled={switchPromo.isPending}
        onSwitch={(next) => switchPromo.mutate(next)}
      />
      <IconButton icon={Pencil} label={`Edit ${promo.code}`} onClick={() => onEdit(promo)} />
      <IconButton icon={CopyPlus} label={`Duplicate ${promo.code}`} onClick={() => onDuplicate(promo)} />
      <IconButton icon={Trash2} label={`Delete ${promo.code}`} onClick={() => onDelete(promo)} />
    </Row>
  )
}
