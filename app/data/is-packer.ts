import { queryBackend } from './query-backend.ts'

/** Only decides what is shown, as `isAdmin` does. */
export async function isPacker(userId: string): Promise<boolean> {
  const rows = await queryBackend((backend) =>
    backend.from('user_roles').select('role').eq('user_id', userId).eq('role', 'packer'),
  )
  return rows.length > 0
}
