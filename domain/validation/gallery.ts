import { z } from './schema.ts'

/** What the form says about a photo: a title and a sentence, as a toast shows them. */
export interface Objection {
  title: string
  description: string
}

export const MAX_PHOTO_BYTES = 5 * 1024 * 1024
/** What one submission holds (constraint `impossible_number_of_images`). */
export const MAX_PHOTOS = 20

export const noPhotos: Objection = {
  title: 'No images selected',
  description: 'Please select at least one image to upload',
}
export const missingWords: Objection = {
  title: 'Missing information',
  description: 'Please fill in your name and description',
}

/** What is wrong with a chosen file by its looks; `null` when nothing is. */
export function objectionTo({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): Objection | null {
  if (!type.startsWith('image/')) return notAnImage(name)
  if (size > MAX_PHOTO_BYTES) return { title: 'File too large', description: `${name} is larger than 5MB` }
  return null
}

export function notAnImage(name: string): Objection {
  return { title: 'Invalid file type', description: `${name} is not an image file` }
}

export const gallerySchema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please fill in your name'), z.maxLength(100, 'Name is too long')),
  email: z.union([
    z.literal(''),
    z.string().check(z.trim(), z.email('Invalid email address'), z.maxLength(255, 'Invalid email address')),
  ]),
  description: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please tell us about the catch'),
      z.maxLength(2000, 'Description must be less than 2000 characters'),
    ),
})

export type GalleryWords = z.infer<typeof gallerySchema>
