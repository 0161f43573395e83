import type { AllHTMLAttributes, ElementType, ReactNode, Ref } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import styles from './layout.module.css'

declare module 'react' {
  interface CSSProperties {
    [customProperty: `--${string}`]: string | number | undefined
  }
}

/** A step of the spacing tokens: 3 is `--space-3`. */
type Space = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

interface Look {
  tone?: 'ink' | 'muted' | 'link' | 'success' | 'warning' | 'danger'
  size?: 'xs' | 's' | 'l' | 'title-s' | 'title-m' | 'title-l' | 'title-xl'
  weight?: 550 | 600 | 650 | 700 | 750
  /** The font of headings, on one line without leading: prices, numbers, names. */
  display?: boolean
  /** The longest line, in characters. */
  measure?: number
  /** The largest width, in pixels. */
  width?: number
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
  /** Its links are underlined only under the pointer; with `touch`, each is easy to press. */
  plainLinks?: boolean
  /**
   * A line above, with space after the line (`above`, more for a `section`) or on both sides of the content (`both`). Without space of its own: a line below
   * the content, one on both sides of it (`around`), or a strong one above it.
   */
  divided?: 'above' | 'both' | 'section' | 'below' | 'around' | 'strong'
  /** Left out on paper. */
  screenOnly?: boolean
  /** As wide as the content of a page, with its margins beside; `page` has space above and below too. */
  contained?: boolean | 'page'
}

interface Spaces {
  gap?: Space
  columnGap?: Space
  /** Padding above and below. */
  block?: Space | readonly [Space | 0, Space | 0]
  /** Margins. */
  above?: Space
  below?: Space
}

/** Attributes of an element, and those of a link with `as={Link}`. */
type Attributes = Omit<AllHTMLAttributes<HTMLElement>, keyof Look | 'as' | 'wrap' | 'kind'> &
  Partial<Pick<LinkProps, 'to' | 'replace' | 'state'>> & {
    as?: ElementType
    ref?: Ref<HTMLElement> | ((element: never) => void)
  }

type TextProps = Look & Omit<Spaces, 'gap' | 'columnGap'> & Attributes

type BoxProps = TextProps & Spaces

/** A text without a layout of its own: a paragraph, unless `as` is set. */
export function Text({ as = 'p', ...rest }: TextProps) {
  return <Box as={as} {...rest} />
}

/** A small, muted text, such as an explanation or a detail. */
export function Hint(props: TextProps) {
  return <Text tone="muted" size="s" {...props} />
}

/** The first sentences of a page. */
export function Opening({ className, ...rest }: TextProps) {
  return <Text size="l" className={classNames(styles.opening, className)} {...rest} />
}

/** The text of an error, without a role of its own; nothing without a text. */
export function ErrorText(props: TextProps) {
  return props.children ? <Text tone="danger" weight={550} {...props} /> : null
}

/** An error that screen readers announce. */
export function Problem(props: TextProps) {
  return <ErrorText size="s" role="alert" {...props} />
}

/** Places its children below each other. */
export function Stack({ align, justify, className, ...rest }: BoxProps & StackPlaces) {
  const places = { justifyItems: align, alignContent: justify }
  return <Box className={classNames(styles.stack, className)} values={places} {...rest} />
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

/** Places its children side by side. */
export function Row({ align, justify, wrap, inline, className, ...rest }: BoxProps & RowPlaces) {
  return (
    <Box
      className={classNames(inline ? styles.inlineRow : styles.row, wrap && styles.wrap, className)}
      values={{ alignItems: align, justifyContent: justify === 'between' ? 'space-between' : justify }}
      {...rest}
    />
  )
}

/** Two columns; on a phone, a stack. */
export function Pair({ className, ...rest }: BoxProps) {
  return <Box className={classNames(styles.pair, className)} {...rest} />
}

interface RowPlaces {
  /** Vertical; centred, unless set. */
  align?: 'start' | 'end' | 'baseline' | 'stretch'
  justify?: 'between' | 'center' | 'end'
  wrap?: boolean
  inline?: boolean
}

/** Places its children in `columns`, a value of `grid-template-columns`. */
export function Grid({ columns, align, className, ...rest }: BoxProps & GridPlaces) {
  return (
    <Box className={classNames(styles.grid, className)} values={{ columns, alignItems: align }} {...rest} />
  )
}

interface GridPlaces {
  columns: string
  /** Vertical. */
  align?: 'start' | 'center' | 'end' | 'baseline'
}

/** A framed box, or a coloured one without a frame. With `gap`, it is also a stack. */
export function Panel({ kind = 'card', padding, isMarked, className, ...rest }: PanelProps) {
  const Inner = rest.gap ? Stack : Box
  return (
    <Inner
      className={classNames(
        styles.panel,
        styles[`kind-${kind}`],
        padding && styles[`padding-${padding}`],
        isMarked && styles.marked,
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
  /** A bar in the colour of the kind at its start, for what concerns the whole page. */
  isMarked?: boolean
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

/**
 * Turns the shared properties into classes. They are in a cascade layer, so that the style sheet of a page overrides them. A class whose
 * property has many values reads its value from the custom property of the same name.
 */
function Box(props: BoxProps & { values?: Record<string, string | undefined> }) {
  const {
    as: Element = 'div',
    className,
    style,
    values,
    gap,
    columnGap,
    block,
    above,
    below,
    ...look
  } = props
  const { tone, size, weight, measure, width, display, numeric, breakWords, noWrap, ...others } = look
  const { ellipsis, preLine, figure, grow, narrow, quiet, ...more } = others
  const { shrinks, touch, plainLinks, divided, screenOnly, contained, ...attributes } = more
  const set = Object.entries({
    ...values,
    gap: space(gap),
    columnGap: space(columnGap),
    block: block && [block].flat().map(space).join(' '),
    above: space(above),
    below: space(below),
    tone: tone && `var(--${tone === 'muted' ? 'ink-muted' : tone})`,
    size: size && `var(--${size.startsWith('title') ? size : `text-${size}`})`,
    weight,
    measure: measure && `${measure}ch`,
    width: width && `${width}px`,
  }).filter(([, value]) => value !== undefined)
  return (
    <Element
      className={classNames(
        className,
        ...set.map(([name]) => styles[name]),
        display && styles.display,
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
        plainLinks && styles.plainLinks,
        divided && styles[`divided-${divided}`],
        screenOnly && styles.screenOnly,
        contained && styles.contained,
        contained === 'page' && styles.page,
      )}
      style={{ ...Object.fromEntries(set.map(([name, value]) => [`--${name}`, value])), ...style }}
      {...attributes}
    />
  )
}

function space(step: Space | 0 | undefined): string | undefined {
  return step ? `var(--space-${step})` : step?.toString()
}
