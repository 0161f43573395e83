import type { ComponentProps, SubmitEvent } from 'react'
import { useDismissErrors } from '#app/ui/toaster.tsx'
import { NeedsScript } from './needs-script.tsx'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

/**
 * A form that a script sends. Where none runs it says so in place of its fields; and should a browser send it all the same,
 * it goes by post, so that a password never stands in an address.
 */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  const dropErrors = useDismissErrors()
  return (
    <form
      method="post"
      noValidate
      data-by-script
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        dropErrors()
        onSubmit(event)
      }}
    >
      <NeedsScript />
      {children}
    </form>
  )
}
