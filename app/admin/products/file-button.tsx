import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import styles from './file-button.module.css'

interface Props extends Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'capture'> {
  children: ReactNode
  onChoose: (files: File[]) => void
}

/** Looks like a button and opens the browser's own choice of files. */
export function FileButton({ children, onChoose, ...input }: Props) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(event.currentTarget.files ?? [])])
    // The same file may be chosen again after it was taken back.
    event.currentTarget.value = ''
  }
  return (
    <label className={styles.choose}>
      {children}
      <input type="file" {...input} onChange={choose} />
    </label>
  )
}
