import { useEffect, useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import styles from './search-dialog.module.css'

export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)

  // Whoever opens the search wants to type, not to close it.
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])

  return (
    <Dialog title="Search" isOpen={isOpen} onClose={onClose} className={styles.dialog}>
      <Form role="search" action="/products" className={styles.form} onSubmit={onClose}>
        <TextField
          ref={field}
          label="Lure or colour"
          name="q"
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          placeholder="popper, red head, 150mm"
        />
        <Button type="submit" look="solid" size="large">
          Search the range
        </Button>
      </Form>
    </Dialog>
  )
}
