import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { Row } from '#app/ui/layout.tsx'
import styles from './file-button.module.css'

interface Props extends Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'capture' | 'disabled'> {
  children: ReactNode
  onChoose: (files: File[]) => void
}

/** A file input that looks like a button. */
export function FileButton({ children, onChoose, ...input }: Props) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(event.currentTarget.files ?? [])])
    // Without a reset, choosing the same file again fires no change event.
    event.currentTarget.value = ''
  }
  return (
    <Row as="label" inline gap={2} size="s" weight={600} className={styles.choose}>
      {children}
      <input type="file" {...input} onChange={choose} />
    </Row>
  )
}
