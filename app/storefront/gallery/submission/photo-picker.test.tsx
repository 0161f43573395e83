import { expect, it } from 'vitest'
import { renderHtml } from '#test/render-page.tsx'
import { PhotoPicker } from './photo-picker.tsx'

it('lets a visitor remove a photo that a failed attempt has uploaded', () => {
  const photo = { id: 'photo-1', name: 'wrong.jpg', content: new Blob(['x']), previewUrl: 'blob:1' }
  const html = renderHtml(
    <PhotoPicker
      photos={[{ ...photo, uploadedUrl: 'https://shop.example/1.jpg' }]}
      skipped={[]}
      isBusy={false}
      onAdd={async () => {}}
      onRemove={() => {}}
    />,
  )

  expect(html).toContain('aria-label="uploaded"')
  expect(html).toContain('aria-label="Remove wrong.jpg"')
})
