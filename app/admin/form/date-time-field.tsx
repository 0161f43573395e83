import type { ComponentProps } from 'react'
import { TextField } from '#app/ui/form/field.tsx'

/** A date and time of day. Without `max`, browsers accept years of six digits. */
export function DateTimeField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'max'>) {
  return <TextField type="datetime-local" max="9999-12-31T23:59" {...props} />
}
