import type { ReactElement } from 'react'
import type { z } from 'zod'

export interface MailTemplate<Props> {
  props: z.ZodType<Props>
  subject: (props: Props) => string
  Body: (props: Props & { publicUrl: string }) => ReactElement
  /** Null for replies to the shop. */
  replyTo?: (props: Props) => string | null
  /** Path of the one-click unsubscribe link. */
  unsubscribePath?: (props: Props) => string
}

/** A template bound to the props of one mail. */
export interface BoundTemplate {
  subject: string
  body: ReactElement
  replyTo: string | null
  unsubscribePath: string | null
}

export type BindTemplate = (props: unknown, publicUrl: string) => BoundTemplate

/** Hides the type of the template's props, so that one table can hold all templates. */
export function template<Props>({
  props: schema,
  subject,
  Body,
  replyTo,
  unsubscribePath,
}: MailTemplate<Props>): BindTemplate {
  return (stored, publicUrl) => {
    const props = schema.parse(stored)
    return {
      subject: subject(props),
      body: Body({ ...props, publicUrl }),
      replyTo: replyTo?.(props) ?? null,
      unsubscribePath: unsubscribePath?.(props) ?? null,
    }
  }
}
