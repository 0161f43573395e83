/**
 * The sizes in which pages and mails ask for stored pictures. The server makes no others for visitors: each new size costs up to a
 * second of processor time and stays on disk, so made-up sizes would keep real pictures waiting and evict them.
 */
export const PICTURE_WIDTHS = [
  56, 112, 160, 320, 480, 536, 640, 768, 800, 960, 1200, 1280, 1600, 1920,
] as const
export type PictureWidth = (typeof PICTURE_WIDTHS)[number]

/** Pages ask for 70; mails, and the official client by default, for 80. */
export const PAGE_QUALITY = 70
const CLIENT_QUALITY = 80

/** In the form that the file service takes. */
export const offeredPictures = {
  widths: PICTURE_WIDTHS,
  /** For link previews: messengers cut anything else themselves. */
  squares: [1200],
  qualities: [PAGE_QUALITY, CLIENT_QUALITY],
  formats: ['origin'],
} as const
