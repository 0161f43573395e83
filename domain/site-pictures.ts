/**
 * Pictures outside the catalogue that nearly every page loads; experience-pictures.ts has the others. The first start uploads all of them
 * to the `site` bucket.
 */

export interface SitePicture {
  src: string
  alt: string
  width: number
  height: number
}

export const site = (path: string): string => `/storage/v1/object/public/site/${path}`

export const LANDSCAPE = { width: 1600, height: 1067 }

export const workshopPicture: SitePicture = {
  ...LANDSCAPE,
  src: site('about/workshop.jpg'),
  alt: 'A stick bait in four stages on the workbench: carved, sealed, base coat and finished',
}

/** The link preview of pages without a picture of their own. */
export const sharePicture: SitePicture = {
  src: site('og/share.jpg'),
  alt: 'Blue Reaper stick bait over a dark ocean at dawn, with the name of the shop',
  width: 1200,
  height: 630,
}
