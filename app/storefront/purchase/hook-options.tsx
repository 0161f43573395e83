import { useId } from 'react'
import { hooksExtraCents, type HookOption, type Product } from '#domain/catalogue.ts'
import { formatPrice } from '#domain/money.ts'
import { classNames } from '#app/ui/class-names.ts'
import { Grid, Text } from '#app/ui/layout.tsx'
import styles from './purchase.module.css'

interface HookOptionsProps {
  product: Product
  chosen: HookOption | null
  onChoose: (hooks: HookOption) => void
}

/** Nothing for an option at the same price. */
const differenceText = (cents: number) =>
  cents === 0 ? undefined : (cents > 0 ? '+' : '') + formatPrice(cents)

export function HookOptions({ product, chosen, onChoose }: HookOptionsProps) {
  const id = useId()
  const extraCents = hooksExtraCents(product)
  const options: { value: HookOption; label: string; extra?: string }[] = [
    { value: 'without-hooks', label: 'Without Hooks' },
  ]
  if (extraCents !== null)
    options.unshift({ value: 'with-hooks', label: 'With Hooks', extra: differenceText(extraCents) })

  return (
    <fieldset>
      <legend className={styles.legend}>Hook Option</legend>
      <Grid columns="repeat(auto-fit, minmax(min(100%, max(8rem, 50% - var(--space-2))), 1fr))" gap={2}>
        {options.map(({ value, label, extra }) => (
          <button
            key={value}
            type="button"
            className={classNames(styles.option, styles.hookOption)}
            aria-pressed={chosen === value}
            aria-describedby={extra && `${id}-${value}`}
            onClick={() => onChoose(value)}
          >
            <span>{label}</span>
            {extra && (
              <Text as="span" tone="muted" numeric id={`${id}-${value}`} aria-hidden>
                {extra}
              </Text>
            )}
          </button>
        ))}
      </Grid>
    </fieldset>
  )
}
