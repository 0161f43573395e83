import type { ComponentProps, SubmitEvent } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { type Space, stackClasses } from '#app/ui/layout.tsx'
import { useDismissErrors } from '#app/ui/toaster.tsx'
import { NeedsScript } from './needs-script.tsx'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  /** Places the fields below each other. */
  gap?: Space
}

/**
 * A form that needs JavaScript; without it CSS hides the fields and a message shows. `method="post"` keeps passwords out of the
 * address if the browser submits the form before hydration.
 */
export function Form({ onSubmit, gap, className, children, ...rest }: FormProps) {
  const dismissErrors = useDismissErrors()
  return (
    <form
      method="post"
      noValidate
      data-by-script
      className={classNames(gap && stackClasses(gap), className)}
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
