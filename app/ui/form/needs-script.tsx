import { shop } from '#shop'

/** A message for browsers without JavaScript. Rendered empty in the browser to keep the text out of the bundle. */
export function NeedsScript({ what = 'This form' }: { what?: string }) {
  if (!import.meta.env.SSR) return <noscript />
  const { email } = shop.contact
  return (
    <noscript>
      {what} needs JavaScript, which is off in this browser. Please write to{' '}
      <a href={`mailto:${email}`}>{email}</a>.
    </noscript>
  )
}
