import styles from './unbroken.module.css'

/** A phone number or a range, which never breaks across lines. */
export function unbroken(text: string) {
  return <span className={styles.unbroken}>{text}</span>
}
