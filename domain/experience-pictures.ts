/** Pictures and film of home, the gallery and About Us, apart from those that every page loads. */

import { LANDSCAPE, site, type SitePicture } from './site-pictures.ts'

export const heroPoster: SitePicture = {
  src: site('hero/hero-poster.jpg'),
  alt: 'Dark teal swell at dawn under long flat clouds, the sun just below the horizon',
  width: 1920,
  height: 1080,
}

/**
 * A browser takes the first source whose media query matches and whose type it plays. Phones get a portrait crop of at most 250 kB:
 * `ffmpeg -i hero-ocean.mp4 -vf "crop=ih*0.66:ih:(iw-ih*0.66)/2:0,hqdn3d=2:2:5:5,scale=400:-2" -an -c:v libx264 -profile:v main
 * -b:v 228k -pass 1|2 -pix_fmt yuv420p -movflags +faststart hero-ocean-phone.mp4`.
 */
export const heroFilm = [
  { src: site('hero/hero-ocean-phone.mp4'), type: 'video/mp4', media: '(max-width: 719px)' },
  { src: site('hero/hero-ocean.webm'), type: 'video/webm' },
  { src: site('hero/hero-ocean.mp4'), type: 'video/mp4' },
] as const

const underwaterGlide: SitePicture = {
  ...LANDSCAPE,
  src: site('experience/02-underwater-glide.jpg'),
  alt: 'Blue Reaper stick bait gliding through blue water under shafts of sunlight',
}

export const experiencePictures: SitePicture[] = [
  {
    ...LANDSCAPE,
    src: site('experience/01-sunrise-popper.jpg'),
    alt: 'Mahi Mahi popper throwing spray across the surface at golden sunrise',
  },
  underwaterGlide,
  {
    ...LANDSCAPE,
    src: site('experience/03-drying-row.jpg'),
    alt: 'Five freshly coated lures hanging in a row to dry against a dark timber workshop wall',
  },
  {
    ...LANDSCAPE,
    src: site('experience/04-chisel-macro.jpg'),
    alt: "Close-up of a Slachback popper's cupped chisel face and eye, beaded with water",
  },
  {
    ...LANDSCAPE,
    src: site('experience/05-bench-fan.jpg'),
    alt: 'Five lures fanned out on a weathered timber bench with a coil of braid and split rings',
  },
  {
    ...LANDSCAPE,
    src: site('experience/06-rods-at-sunset.jpg'),
    alt: 'Four fishing rods in their holders silhouetted against an ocean sunset',
  },
]

/** The hero spans the screen, so it needs a wider picture than the catches. */
export const galleryHero = underwaterGlide
