/** The VAT in an amount that includes 15%: 15/115 of it, rounded half up (VAT Act s66). Call it once for each document. */
export function includedVat(inclusiveCents: number): number {
  return Math.floor((inclusiveCents * 3) / 23 + 0.5)
}
