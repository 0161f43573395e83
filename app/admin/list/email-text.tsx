/** Shorter halves of an address stay whole: the column grows instead. */
const WHOLE_UP_TO = 16

/** An e-mail address that breaks before its @ where the line is too short; a long half breaks before its dots too. */
export function EmailText({ email }: { email: string | null }) {
  if (email === null) return null
  const parts = email
    .split(/(?=@)/)
    .flatMap((half) => (half.length > WHOLE_UP_TO ? half.split(/(?=\.)/) : half))
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
