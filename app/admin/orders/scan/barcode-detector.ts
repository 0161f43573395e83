/** The part of https://wicg.github.io/shape-detection-api/#barcode-detection-api that we use; TypeScript has no types for it. */
interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of globalThis
  var BarcodeDetector: (new () => BarcodeDetector) | undefined
}

/** Whether the browser can read barcodes with a camera. Chrome on Android can. */
export function canScan(): boolean {
  return globalThis.BarcodeDetector !== undefined && 'mediaDevices' in navigator
}
