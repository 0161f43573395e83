import styles from './sales.module.css'

export interface Bar {
  label: string
  value: number
  /** What the bar says when somebody points at it. */
  words: string
}

const WIDTH = 720
const HEIGHT = 200
const GAP = 0.22

interface Props {
  /** The chart in one sentence, for whoever does not see it. The figures themselves stand in a table beside it. */
  summary: string
  bars: Bar[]
  /** What the tallest bar stands for. */
  peak: string
}

export function BarChart({ summary, bars, peak }: Props) {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const step = WIDTH / bars.length
  // No more labels than can be read on a phone.
  const labelEvery = Math.ceil(bars.length / 7)

  return (
    <figure className={styles.chart}>
      <figcaption className={styles.peak} aria-hidden>
        {peak}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        className={styles.bars}
      >
        <line x1={0} y1={0.5} x2={WIDTH} y2={0.5} className={styles.gridLine} />
        <line x1={0} y1={HEIGHT / 2} x2={WIDTH} y2={HEIGHT / 2} className={styles.gridLine} />
        {bars.map(({ label, value, words }, index) => {
          const height = (value / highest) * HEIGHT
          return (
            <rect
              key={label}
              className={styles.bar}
              x={index * step + (step * GAP) / 2}
              y={HEIGHT - height}
              width={step * (1 - GAP)}
              height={height}
            >
              <title>{words}</title>
            </rect>
          )
        })}
        <line x1={0} y1={HEIGHT - 0.5} x2={WIDTH} y2={HEIGHT - 0.5} className={styles.baseLine} />
      </svg>
      <div className={styles.barLabels} aria-hidden>
        {bars
          .filter((_, index) => (bars.length - 1 - index) % labelEvery === 0)
          .map(({ label }) => (
            <span key={label}>{label}</span>
          ))}
      </div>
    </figure>
  )
}
