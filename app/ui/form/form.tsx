import type { ComponentProps, SubmitEvent } from 'react'
import { Stack } from '#app/ui/layout.tsx'
import { useDismissErrors } from '#app/ui/toaster.tsx'
import { NeedsScript } from './needs-script.tsx'

interface FormProps extends Omit<ComponentProps<typeof Stack>, 'onSubmit'> {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

/**
 * A form that needs JavaScript, with its fields below each other; without it CSS hides the fields and a message shows.
 * `method="post"` keeps passwords out of the address if the browser submits the form before hydration.
 */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  const dismissErrors = useDismissErrors()
  return (
    <Stack
      as="form"
      method="post"
      noValidate
      data-by-script
      {...rest}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        dismissErrors()
        onSubmit(event)
      }}
    >
      <NeedsScript />
      {children}
    </Stack>
  )
}
