import { Form } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import styles from './search-dialog.module.css'

export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Search" isOpen={isOpen} onClose={onClose} className={styles.dialog}>
      <Form role="search" action="/products" className={styles.form} onSubmit={onClose}>
        <TextField
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
