/** An e-mail address that breaks before its @ or a dot where the line is too short, never inside a word. */
export function EmailText({ email }: { email: string | null }) {
  return email?.split(/(?=[@.])/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one address never move
    <span key={index}>
      {index > 0 && <wbr />}
      {part}
    </span>
  ))
}
