import { useRouteLoaderData } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import type { loader as rootLoader } from '#app/root.tsx'
import { shop } from '#shop'
import { EmailLink } from './email-link.tsx'
import { facts } from './facts.tsx'
import { Table } from './table.tsx'

/** The trader's details that section 43 of the ECT Act requires. */
export function TraderDetails() {
  const { legal, name } = shop
  const root = useRouteLoaderData<typeof rootLoader>('root')
  return (
    <Table
      caption={`Who you deal with when you buy from ${name}`}
      rows={[
        ['Trading name', name],
        ['Full name', legal.name],
        ['Legal status', legal.status],
        ['Physical address', facts.address],
        ['Address for legal papers', legal.serviceAddress],
        ...(root ? [['Website', root.publicUrl] as const] : []),
        ['Phone', <PhoneLink key="phone" />],
        ['E-mail', <EmailLink key="e-mail" />],
        ...(legal.vatNumber ? [['VAT number', legal.vatNumber] as const] : []),
        ['Information Officer', legal.informationOfficer],
      ]}
    />
  )
}
