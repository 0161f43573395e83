import { Button } from '#app/ui/button.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { Variant } from '#domain/catalogue.ts'
import styles from './stock-alert.module.css'

const loadForm = () => import('./stock-alert.tsx')

/** Opens the stock alert form, which loads on demand. */
export function StockAlertButton({ variant }: { variant: Variant }) {
  const toast = useToast()
  const [form, loadFormNow] = useLazyModule(loadForm)

  if (form) return <form.StockAlert variant={variant} />
  const open = async () => {
    if (await loadFormNow()) return
    toast(errorToast('Something went wrong. Please try again.'))
  }
  return (
    <Button look="solid" isWide className={styles.open} onClick={() => void open()}>
      Tell me when it is back
    </Button>
  )
}
