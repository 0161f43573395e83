import { CloseAccount } from './close-account.tsx'
import { Consent } from './consent.tsx'
import { Export } from './export.tsx'

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
