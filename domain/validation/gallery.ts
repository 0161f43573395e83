import { z } from './schema.ts'

/** The text of a toast. */
export interface PhotoError {
  title: string
  description: string
}

export const MAX_PHOTO_BYTES = 5 * 1024 * 1024
/** The limit of one submission (constraint `impossible_number_of_images`). */
export const MAX_PHOTOS = 20

export const noPhotosError: PhotoError = {
  title: 'No images selected',
  description: 'Please select at least one image to upload',
}
export const missingFieldsError: PhotoError = {
  title: 'Missing information',
  description: 'Please fill in your name and description',
}

/** Checks type and size; returns `null` for a valid file. The server checks the content. */
export function validatePhoto({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): PhotoError | null {
  if (!type.startsWith('image/')) return notAnImageError(name)
  if (size > MAX_PHOTO_BYTES) return { title: 'File too large', description: `${name} is larger than 5MB` }
  return null
}

export function notAnImageError(name: string): PhotoError {
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

export type GalleryFields = z.infer<typeof gallerySchema>
