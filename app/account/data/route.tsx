import { unlisted } from '#app/storefront/page-meta.ts'
import { CloseAccount } from './close-account.tsx'
import { Consent } from './consent.tsx'
import { Export } from './export.tsx'

export const meta = unlisted('Data and privacy')

export default function OwnData() {
  return (
    <>
      <h1>Data and privacy</h1>
      <Consent />
      <Export />
      <CloseAccount />
    </>
  )
}
