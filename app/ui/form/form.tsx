import type { ComponentProps, SubmitEvent } from 'react'
import { useDismissErrors } from '#app/ui/toaster.tsx'
import { NeedsScript } from './needs-script.tsx'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

/**
 * A form that needs JavaScript; without it CSS hides the fields and a message shows. `method="post"` keeps passwords out of the
 * address if the browser submits the form before hydration.
 */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  const dismissErrors = useDismissErrors()
  return (
    <form
      method="post"
      noValidate
      data-by-script
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        dismissErrors()
        onSubmit(event)
      }}
    >
      <NeedsScript />
      {children}
    </form>
  )
}
