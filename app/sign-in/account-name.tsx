/** Tells password managers which account a password belongs to. */
export function AccountName({ email }: { email: string | null }) {
  return <input hidden readOnly autoComplete="username" value={email ?? ''} />
}
