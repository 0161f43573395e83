import { Row, Text } from '#app/ui/layout.tsx'
import styles from './sales.module.css'

interface Bar {
  label: string
  value: number
  tooltip: string
}

const WIDTH = 720
const HEIGHT = 200
const GAP = 0.22

interface Props {
  /** The chart in one sentence, for screen readers. A table below has the figures. */
  summary: string
  bars: Bar[]
  /** The value of the tallest bar. */
  peak: string
}

export function BarChart({ summary, bars, peak }: Props) {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const lowest = Math.min(0, ...bars.map(({ value }) => value))
  const heightOf = (value: number) => (value / (highest - lowest)) * HEIGHT
  const zero = heightOf(highest)
  const step = WIDTH / bars.length
  // At most seven labels fit on a phone.
  const labelEvery = Math.ceil(bars.length / 7)

  return (
    <figure>
      <Text as="figcaption" tone="muted" size="xs" numeric aria-hidden>
        {peak}
      </Text>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        className={styles.bars}
      >
        <line x1={0} y1={0.5} x2={WIDTH} y2={0.5} className={styles.gridLine} />
        <line x1={0} y1={zero / 2} x2={WIDTH} y2={zero / 2} className={styles.gridLine} />
        {bars.map(({ label, value, tooltip }, index) => {
          const height = heightOf(Math.abs(value))
          return (
            <rect
              key={label}
              className={value < 0 ? styles.lossBar : styles.bar}
              x={index * step + (step * GAP) / 2}
              y={value < 0 ? zero : zero - height}
              width={step * (1 - GAP)}
              height={height}
            >
              <title>{tooltip}</title>
            </rect>
          )
        })}
        <line x1={0} y1={zero - 0.5} x2={WIDTH} y2={zero - 0.5} className={styles.baseLine} />
      </svg>
      <Row align="stretch" tone="muted" size="xs" numeric className={styles.barLabels} aria-hidden>
        {bars.map(({ label }, index) => (
          // Every bar needs an element, so that the dates align with their bars.
          <span key={label}>{(bars.length - 1 - index) % labelEvery === 0 && <span>{label}</span>}</span>
        ))}
      </Row>
    </figure>
  )
}
