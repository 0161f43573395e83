/** The part of https://wicg.github.io/shape-detection-api/#barcode-detection-api that is used here; TypeScript does not know it yet. */
interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of globalThis
  var BarcodeDetector: (new () => BarcodeDetector) | undefined
}

/** Whether this browser reads barcodes and has a camera to hold them to. Chrome on Android does; where none does, one types or pastes. */
export function canScan(): boolean {
  return globalThis.BarcodeDetector !== undefined && 'mediaDevices' in navigator
}
