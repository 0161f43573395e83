import { useState, type ComponentProps, type ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'

interface Props extends ComponentProps<typeof Button> {
  renderDialog: (close: () => void) => ReactNode
}

/** A button with the dialog that it opens. */
export function DialogButton({ renderDialog, ...button }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)} />
      {isOpen && renderDialog(() => setIsOpen(false))}
    </>
  )
}
