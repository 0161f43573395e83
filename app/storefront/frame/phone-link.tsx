import { unbroken } from '#app/ui/unbroken.tsx'
import { shop } from '#shop'

export function PhoneLink({ className }: { className?: string }) {
  return (
    <a className={className} href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>
      {unbroken(shop.contact.phone)}
    </a>
  )
}
