import { useOwnProfile } from '#app/data/use-own-profile.ts'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Loading } from '../loading.tsx'
import { ProfileForm } from './profile-form.tsx'

export default function Details() {
  const { id } = useCustomer()
  const profile = useOwnProfile(id)

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
