import type { LucideIcon } from 'lucide-react'
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

interface IconLook {
  /** The accessible name. */
  label: string
  icon?: LucideIcon
}

/** A 44 px square with one icon. Children are for an icon of another size. */
export function IconButton({
  label,
  icon: Icon,
  tone,
  className,
  type = 'button',
  children,
  ...rest
}: IconLook & { tone?: 'danger' } & ComponentProps<'button'>) {
  return (
    <button
      type={type}
      aria-label={label}
      className={classNames(styles.icon, tone && styles.dangerIcon, className)}
      {...rest}
    >
      {Icon && <Icon size={20} aria-hidden />}
      {children}
    </button>
  )
}

export function IconLink({
  label,
  icon: Icon,
  className,
  children,
  ...rest
}: IconLook & ComponentProps<typeof Link>) {
  return (
    <Link aria-label={label} className={classNames(styles.icon, className)} {...rest}>
      {Icon && <Icon size={20} aria-hidden />}
      {children}
    </Link>
  )
}
