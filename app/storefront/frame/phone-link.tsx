import { shop } from '#shop'

export function PhoneLink({ className }: { className?: string }) {
  return (
    <a className={className} href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>
      {shop.contact.phone}
    </a>
  )
}
