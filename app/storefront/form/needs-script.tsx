import { shop } from '#shop'

/** Where nothing can be done without scripts it is said, with another way. A browser that runs scripts needs no copy of the words. */
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
