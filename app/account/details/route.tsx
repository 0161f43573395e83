import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Loading } from '../loading.tsx'
import { ProfileForm } from './profile-form.tsx'

export default function Details() {
  const { id } = useCustomer()
  const profile = useBackendQuery(['own-profile', id], (backend) =>
    backend.from('profiles').select('full_name, phone, address, city, state, zip_code').eq('id', id).single(),
  )

  if (profile.isPending) return <Loading label="Loading your details" />
  return (
    <>
      <h1>My details</h1>
      {profile.isError ? (
        <LoadError what="Your details could not be loaded." query={profile} />
      ) : (
        <ProfileForm profile={profile.data} />
      )}
    </>
  )
}
