/** Halves up to this length do not break; the column grows instead. */
const UNBROKEN_LENGTH = 16

/** Lets an e-mail address break before its @, and a long half before its dots too. */
export function EmailText({ email }: { email: string | null }) {
  if (email === null) return null
  const parts = email
    .split(/(?=@)/)
    .flatMap((half) => (half.length > UNBROKEN_LENGTH ? half.split(/(?=\.)/) : half))
  return (
    <span>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one address never move
        <span key={index}>
          {index > 0 && <wbr />}
          {part}
        </span>
      ))}
    </span>
  )
}
