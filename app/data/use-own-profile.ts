import { useBackendQuery } from './use-backend-query.ts'

/** The customer's saved name, phone and address. */
export const useOwnProfile = (userId: string) =>
  useBackendQuery(['own-profile', userId], (backend) =>
    backend
      .from('profiles')
      .select('full_name, phone, address, city, state, zip_code')
      .eq('id', userId)
      .single(),
  )
