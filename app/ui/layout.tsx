import type { AllHTMLAttributes, ElementType, ReactNode, RefAttributes } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import styles from './layout.module.css'

declare module 'react' {
  interface CSSProperties {
    '--columns'?: string
  }
}

/** A step of the spacing tokens: 3 is `--space-3`. */
export type Space = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

interface Look {
  tone?: 'ink' | 'muted' | 'success' | 'warning' | 'danger'
  size?: 'xs' | 's' | 'l' | 'title-s' | 'title-xl'
  weight?: 550 | 600 | 650 | 700 | 750
  /** Figures of equal width, so that they line up. */
  numeric?: boolean
  /** Breaks long words, which visitors can enter. */
  breakWords?: boolean
  noWrap?: boolean
  /** Cuts the text off at the end of its line. */
  ellipsis?: boolean
  /** Keeps the line breaks that a person typed. */
  preLine?: boolean
  /** A large number, in the display font. */
  figure?: boolean
  /** A link without a colour, underlined only below the pointer. */
  quiet?: boolean
  /** Takes the space that is left in its row. */
  grow?: boolean
  /** No wider than texts and forms should be. */
  narrow?: boolean
  /** May become narrower than its content. */
  shrinks?: boolean
  /** At least as high as a control that is easy to press. */
  touch?: boolean
  /** A line above, with space after the line (`above`, more for a `section`) or on both sides of the content (`both`). */
  divided?: 'above' | 'both' | 'section'
  /** As wide as the content of a page; `page` has its margins too. */
  contained?: boolean | 'page'
}

interface Gaps {
  gap?: Space
  columnGap?: Space
}

/** Attributes of an element, and those of a link with `as={Link}`. */
interface Attributes
  extends
    Omit<AllHTMLAttributes<HTMLElement>, keyof Look | 'as' | 'wrap' | 'kind'>,
    RefAttributes<HTMLElement>,
    Partial<Pick<LinkProps, 'to' | 'replace' | 'state'>> {
  as?: ElementType
}

interface TextProps extends Look, Attributes {}

interface BoxProps extends TextProps, Gaps {}

/** A text without a layout of its own: a paragraph, unless `as` is set. */
export function Text({ as = 'p', ...rest }: TextProps) {
  return <Box as={as} {...rest} />
}

/** A small, muted text, such as an explanation or a detail. */
export function Hint(props: TextProps) {
  return <Text tone="muted" size="s" {...props} />
}

/** The text of an error, without a role of its own; nothing without a text. */
export function ErrorText(props: TextProps) {
  return props.children ? <Text tone="danger" weight={550} {...props} /> : null
}

/** Places its children below each other. */
export function Stack({ align, justify, className, ...rest }: BoxProps & StackPlaces) {
  return (
    <Box
      className={classNames(
        styles.stack,
        align && styles[`items-${align}`],
        justify && styles[`content-${justify}`],
        className,
      )}
      {...rest}
    />
  )
}

/** A part of a page with its heading. */
export function Section({ title, level: Heading = 'h3', action, gap = 3, ...rest }: SectionProps) {
  const { children, ...box } = rest
  const heading = <Heading>{title}</Heading>
  return (
    <Stack as="section" gap={gap} aria-label={title} {...box}>
      {action ? (
        <Row gap={3} justify="between" wrap>
          {heading}
          {action}
        </Row>
      ) : (
        heading
      )}
      {children}
    </Stack>
  )
}

interface SectionProps extends Omit<BoxProps, 'action'>, StackPlaces {
  title: string
  level?: 'h2' | 'h3'
  /** Beside the heading. */
  action?: ReactNode
}

interface StackPlaces {
  /** Horizontal. */
  align?: 'start' | 'center' | 'end'
  /** Vertical, in a stack that is higher than its content. */
  justify?: 'start' | 'center' | 'end'
}

/** Returns the classes of a stack, for an element of another component. */
export function stackClasses(gap: Space): string {
  return classNames(styles.stack, styles[`gap-${gap}`])
}

/** Places its children side by side. */
export function Row({ align, justify, wrap, inline, className, ...rest }: BoxProps & RowPlaces) {
  return (
    <Box
      className={classNames(
        inline ? styles.inlineRow : styles.row,
        align && styles[`align-${align}`],
        justify && styles[`justify-${justify}`],
        wrap && styles.wrap,
        className,
      )}
      {...rest}
    />
  )
}

interface RowPlaces {
  /** Vertical; centred, unless set. */
  align?: 'start' | 'end' | 'baseline' | 'stretch'
  justify?: 'between' | 'center' | 'end'
  wrap?: boolean
  inline?: boolean
}

/** Places its children in `columns`, a value of `grid-template-columns`. */
export function Grid({ columns, align, className, style, ...rest }: BoxProps & GridPlaces) {
  return (
    <Box
      className={classNames(styles.grid, align && styles[`align-${align}`], className)}
      style={{ '--columns': columns, ...style }}
      {...rest}
    />
  )
}

interface GridPlaces {
  columns: string
  /** Vertical. */
  align?: 'start' | 'center' | 'end' | 'baseline'
}

/** A framed box, or a coloured one without a frame. With `gap`, it is also a stack. */
export function Panel({ kind = 'card', padding, className, ...rest }: PanelProps) {
  const Inner = rest.gap ? Stack : Box
  return (
    <Inner
      className={classNames(
        styles.panel,
        styles[`kind-${kind}`],
        padding && styles[`padding-${padding}`],
        className,
      )}
      {...rest}
    />
  )
}

interface PanelFrame {
  /** `empty` is for a message in the place of missing content. */
  kind?: 'card' | 'empty' | 'success' | 'warning' | 'danger'
  /** Less than usual. */
  padding?: 's' | 'm'
}

type PanelProps = BoxProps & StackPlaces & PanelFrame

/**
 * Terms and their values. `facts` has small terms above the values, `figures` is the same in frames, and `sums` has amounts at
 * the end of the line. The terms and values are grouped in `div` elements.
 */
export function DescriptionList({ kind, columns, className, ...rest }: BoxProps & ListShape) {
  const shape: BoxProps = { as: 'dl', className: classNames(kind && styles[kind], className), ...rest }
  return columns ? <Grid columns={columns} {...shape} /> : <Stack {...shape} />
}

/** One term of a `DescriptionList` with its value. */
export function Fact({ term, children, ...rest }: TextProps & { term: ReactNode }) {
  return (
    <Box {...rest}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </Box>
  )
}

interface ListShape {
  kind?: 'facts' | 'figures' | 'sums'
  /** Of a grid; without, the groups are below each other. */
  columns?: string
}

/** Turns the shared properties into classes. They are in a cascade layer, so that the style sheet of a page overrides them. */
function Box(props: BoxProps) {
  const { as: Element = 'div', className, gap, columnGap, tone, size, weight, ...others } = props
  const { numeric, breakWords, noWrap, ellipsis, preLine, figure, grow, narrow, quiet, ...more } = others
  const { shrinks, touch, divided, contained, ...attributes } = more
  return (
    <Element
      className={classNames(
        className,
        gap && styles[`gap-${gap}`],
        columnGap && styles[`column-gap-${columnGap}`],
        tone && styles[`tone-${tone}`],
        size && styles[`size-${size}`],
        weight && styles[`weight-${weight}`],
        numeric && styles.numeric,
        breakWords && styles.breakWords,
        noWrap && styles.noWrap,
        ellipsis && styles.ellipsis,
        preLine && styles.preLine,
        figure && styles.figure,
        grow && styles.grow,
        narrow && styles.narrow,
        quiet && styles.quiet,
        shrinks && styles.shrinks,
        touch && styles.touch,
        divided && styles[`divided-${divided}`],
        contained && styles.contained,
        contained === 'page' && styles.page,
      )}
      {...attributes}
    />
  )
}
