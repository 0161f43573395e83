import type { OutlineShape } from '../catalogue/measured-lure.ts'
import styles from './size-guide.module.css'

interface LureOutlineProps {
  shape: OutlineShape
  lengthMm: number
  /** The length that fills the width. */
  scaleMm: number
}

const HEIGHT_MM = 26
const TICK_EVERY_MM = 50

/** Draws a lure to scale above a ruler. All outlines of a page share `scaleMm`. */
export function LureOutline({ shape, lengthMm, scaleMm }: LureOutlineProps) {
  const ticks = Array.from({ length: Math.floor(scaleMm / TICK_EVERY_MM) + 1 }, (_, i) => i * TICK_EVERY_MM)
  return (
    <svg className={styles.outline} viewBox={`-1 0 ${scaleMm + 2} ${HEIGHT_MM + 8}`} aria-hidden>
      <path className={styles.body} d={PATHS[shape](lengthMm)} />
      {shape !== 'bar' && (
        <circle className={styles.eye} cx={lengthMm * 0.1} cy={HEIGHT_MM / 2 - 2} r={2.2} />
      )}
      <path
        className={styles.ruler}
        d={`M0 ${HEIGHT_MM + 4}H${scaleMm}${ticks.map((at) => `M${at} ${HEIGHT_MM + 1}v6`).join('')}`}
      />
    </svg>
  )
}

const PATHS: Record<OutlineShape, (length: number) => string> = {
  'stick-bait': stickBaitPath,
  popper: popperPath,
  bar: (length) => `M0 ${HEIGHT_MM - 6}h${length}v4h-${length}Z`,
}

function stickBaitPath(length: number): string {
  const middle = HEIGHT_MM / 2
  const half = Math.min(middle - 1, length * 0.065)
  return [
    `M0 ${middle - half * 0.5}`,
    `C${length * 0.12} ${middle - half} ${length * 0.3} ${middle - half} ${length * 0.45} ${middle - half * 0.9}`,
    `S${length * 0.92} ${middle - half * 0.35} ${length} ${middle}`,
    `S${length * 0.65} ${middle + half * 0.9} ${length * 0.45} ${middle + half}`,
    `S${length * 0.1} ${middle + half} 0 ${middle + half * 0.6}Z`,
  ].join('')
}

function popperPath(length: number): string {
  const middle = HEIGHT_MM / 2
  const half = Math.min(middle - 1, length * 0.07)
  return [
    `M0 ${middle - half}`,
    `L${half * 0.8} ${middle + half}`,
    `C${length * 0.45} ${middle + half} ${length * 0.8} ${middle + half * 0.6} ${length} ${middle + half * 0.2}`,
    `V${middle - half * 0.2}`,
    `C${length * 0.8} ${middle - half * 0.7} ${length * 0.4} ${middle - half} 0 ${middle - half}Z`,
  ].join('')
}
