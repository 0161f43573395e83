/** VAT in an amount that includes it, at 15%: 15/115 of it, rounded half up (VAT Act s66). Once for each document. */
export function vatWithin(inclusiveCents: number): number {
  return Math.floor((inclusiveCents * 3) / 23 + 0.5)
}
