import { Ban, CircleCheck, Copy, Pencil, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { When } from '#app/ui/when.tsx'
import { isExpired, useSwitchPromoCode, type PromoCode } from './promo-code.ts'
import styles from './promo-codes.module.css'

export function CodeWithCopy({ code }: { code: string }) {
  const toast = useToast()

  const copy = async () => {
    await navigator.clipboard.writeText(code)
    toast({ title: 'Copied' })
  }

  return (
    <span className={styles.code}>
      {code}
      <IconButton label={`Copy ${code}`} onClick={() => void copy()}>
        <Copy size={18} aria-hidden />
      </IconButton>
    </span>
  )
}

export function Expiry({ promo }: { promo: PromoCode }) {
  if (promo.expires_at === null) return 'Never'
  return (
    <span className={isExpired(promo) ? styles.past : undefined}>
      <When at={promo.expires_at} />
    </span>
  )
}

export function PromoStatus({ promo }: { promo: PromoCode }) {
  return promo.is_active && !isExpired(promo) ? (
    <Badge tone="success">
      <CircleCheck size={14} aria-hidden /> Active
    </Badge>
  ) : (
    <Badge>
      <Ban size={14} aria-hidden /> Inactive
    </Badge>
  )
}

interface ActionsProps {
  promo: PromoCode
  onEdit: (promo: PromoCode) => void
  onDelete: (promo: PromoCode) => void
}

export function PromoActions({ promo, onEdit, onDelete }: ActionsProps) {
  const switchPromo = useSwitchPromoCode(promo.id)
  const isOn = switchPromo.isPending ? switchPromo.variables : promo.is_active

  return (
    <span className={styles.actions}>
      <Switch
        label={`${promo.code} is active`}
        isOn={isOn}
        disabled={switchPromo.isPending}
        onSwitch={(next) => switchPromo.mutate(next)}
      />
      <IconButton label={`Edit ${promo.code}`} onClick={() => onEdit(promo)}>
        <Pencil size={20} aria-hidden />
      </IconButton>
      <IconButton label={`Delete ${promo.code}`} onClick={() => onDelete(promo)}>
        <Trash2 size={20} aria-hidden />
      </IconButton>
    </span>
  )
}
