import { describe, expect, it } from 'vitest'
import {
  gallerySchema,
  MAX_PHOTO_BYTES,
  missingFieldsError,
  noPhotosError,
  validatePhoto,
} from './gallery.ts'
import { validate } from './schema.ts'

const photo = { name: 'garrick.jpg', type: 'image/jpeg', size: 1_000 }

describe('gallery files', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp', 'image/heic'])(
    'accepts gallery photos of the type %s',
    (type) => {
      expect(validatePhoto({ ...photo, type })).toBeNull()
    },
  )

  it.each(['application/pdf', 'text/plain', 'video/mp4', ''])(
    'rejects gallery files of the type %j',
    (type) => {
      expect(validatePhoto({ ...photo, type })).toEqual({
        title: 'Invalid file type',
        description: 'garrick.jpg is not an image file',
      })
    },
  )

  // covers S5.18 S9.13
  it('accepts gallery photos of up to 5 MB', () => {
    expect(validatePhoto({ ...photo, size: MAX_PHOTO_BYTES })).toBeNull()
    expect(validatePhoto({ ...photo, size: MAX_PHOTO_BYTES + 1 })).toEqual({
      title: 'File too large',
      description: 'garrick.jpg is larger than 5MB',
    })
  })
})

describe('gallery fields', () => {
  const words = { name: 'Sipho', email: '', description: 'Garrick at first light' }

  // covers S5.19
  it('accepts a gallery photo without an e-mail address but not with an invalid address', () => {
    expect(validate(gallerySchema, words).errors).toBeNull()
    expect(validate(gallerySchema, { ...words, email: ' sipho@example.com ' }).values?.email).toBe(
      'sipho@example.com',
    )
    expect(validate(gallerySchema, { ...words, email: 'sipho' }).errors).toEqual({
      email: 'Invalid email address',
    })
  })

  it('accepts gallery fields of the maximum length and rejects longer ones', () => {
    const longest = { name: 'x'.repeat(100), email: '', description: 'x'.repeat(2000) }

    expect(validate(gallerySchema, longest).errors).toBeNull()
    expect(validate(gallerySchema, { ...longest, name: 'x'.repeat(101) }).errors).toEqual({
      name: 'Name is too long',
    })
    expect(validate(gallerySchema, { ...longest, description: 'x'.repeat(2001) }).errors).toEqual({
      description: 'Description must be less than 2000 characters',
    })
    expect(validate(gallerySchema, { ...longest, email: `${'x'.repeat(250)}@example.com` }).errors).toEqual({
      email: 'Invalid email address',
    })
  })

  it('requires a name and a description for a gallery photo', () => {
    expect(validate(gallerySchema, { name: ' ', email: '', description: '' }).errors).toEqual({
      name: 'Please fill in your name',
      description: 'Please tell us about the catch',
    })
  })
})

// covers S5.17
it('reports missing gallery fields with the specified messages', () => {
  expect(noPhotosError).toEqual({
    title: 'No images selected',
    description: 'Please select at least one image to upload',
  })
  expect(missingFieldsError).toEqual({
    title: 'Missing information',
    description: 'Please fill in your name and description',
  })
})
