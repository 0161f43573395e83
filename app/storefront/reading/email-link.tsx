import { shop } from '#shop'

export function EmailLink() {
  const { email } = shop.contact
  return <a href={`mailto:${email}`}>{email}</a>
}
