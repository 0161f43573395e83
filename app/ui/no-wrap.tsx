import { Text } from './layout.tsx'

/** Keeps a phone number or a range of numbers on one line. */
export function noWrap(text: string) {
  return (
    <Text as="span" noWrap>
      {text}
    </Text>
  )
}
