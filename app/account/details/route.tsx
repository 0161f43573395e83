import { useOwnProfile } from '#app/data/use-own-profile.ts'
import { unlisted } from '#app/storefront/page-meta.ts'
import { Stack } from '#app/ui/layout.tsx'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Loading } from '../loading.tsx'
import { ProfileForm } from './profile-form.tsx'

export const meta = unlisted('My details')

export default function Details() {
  const { id } = useCustomer()
  const profile = useOwnProfile(id)

  if (profile.isPending) return <Loading label="Loading your details" />
  return (
    <Stack gap={4}>
      <h1>My details</h1>
      {profile.data && <ProfileForm profile={profile.data} />}
      <LoadError what="Your details could not be loaded." query={profile} />
    </Stack>
  )
}
