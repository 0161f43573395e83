import { noWrap } from '#app/ui/no-wrap.tsx'
import { shop } from '#shop'

export function PhoneLink({ className }: { className?: string }) {
  return (
    <a className={className} href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>
      {noWrap(shop.contact.phone)}
    </a>
  )
}
