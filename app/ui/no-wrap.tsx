import styles from './no-wrap.module.css'

/** Keeps a phone number or a range of numbers on one line. */
export function noWrap(text: string) {
  return <span className={styles.noWrap}>{text}</span>
}
