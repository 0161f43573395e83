import { useId } from 'react'
import { hooksExtraCents, type HookOption, type Product } from '#domain/catalogue.ts'
import { formatPrice } from '#domain/money.ts'
import { classNames } from '#app/ui/class-names.ts'
import styles from './purchase.module.css'

interface HookOptionsProps {
  product: Product
  chosen: HookOption | null
  onChoose: (hooks: HookOption) => void
}

/** With or without, each with what it adds to the price. */
export function HookOptions({ product, chosen, onChoose }: HookOptionsProps) {
  const id = useId()
  const extraCents = hooksExtraCents(product)
  const withHooks = extraCents !== null && {
    value: 'with-hooks' as const,
    label: 'With Hooks',
    price: `+${formatPrice(extraCents)}`,
  }
  const withoutHooks = {
    value: 'without-hooks' as const,
    label: 'Without Hooks',
    price: extraCents === null ? formatPrice(product.priceCents) : `+${formatPrice(0)}`,
  }

  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>Hook Option</legend>
      <div className={styles.hookOptions}>
        {[withHooks, withoutHooks].map(
          (option) =>
            option && (
              <button
                key={option.value}
                type="button"
                className={classNames(styles.option, styles.hookOption)}
                aria-pressed={chosen === option.value}
                aria-describedby={`${id}-${option.value}`}
                onClick={() => onChoose(option.value)}
              >
                <span>{option.label}</span>
                <span className={styles.optionPrice} id={`${id}-${option.value}`} aria-hidden>
                  {option.price}
                </span>
              </button>
            ),
        )}
      </div>
    </fieldset>
  )
}
