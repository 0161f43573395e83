import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

interface Look {
  /** `action` has the signal colour: at most one on a screen. */
  look?: 'action' | 'solid' | 'outline' | 'quiet' | 'danger'
  size?: 'medium' | 'large'
  isWide?: boolean
  /** `start` keeps its own width in a stack; `flush` also aligns the label of a quiet button with the text around it. */
  place?: 'start' | 'flush'
}

function classFor({ look = 'outline', size, isWide, place }: Look, more?: string): string {
  return classNames(
    styles.button,
    styles[look],
    size === 'large' && styles.large,
    isWide && styles.wide,
    place && styles[place],
    more,
  )
}

export function Button({ look, size, isWide, place, className, ...rest }: Look & ComponentProps<'button'>) {
  return <button type="button" className={classFor({ look, size, isWide, place }, className)} {...rest} />
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  size,
  isWide,
  place,
  className,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return <Link className={classFor({ look, size, isWide, place }, className)} {...rest} />
}

/** A 44 px square with one icon; `label` is its accessible name. */
export function IconButton({ label, className, ...rest }: { label: string } & ComponentProps<'button'>) {
  return <button type="button" aria-label={label} className={classNames(styles.icon, className)} {...rest} />
}

export function IconLink({ label, className, ...rest }: { label: string } & ComponentProps<typeof Link>) {
  return <Link aria-label={label} className={classNames(styles.icon, className)} {...rest} />
}
