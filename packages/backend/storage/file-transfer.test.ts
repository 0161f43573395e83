import { expect, it } from 'vitest'

import { fileTransferOf } from './file-transfer.ts'

it.each([
  'POST /object/gallery/catch.jpg',
  'PUT /object/gallery/folder/catch.jpg?token=1',
  'POST /object/my%20photos/catch.jpg',
  'PUT /object/upload/sign/gallery/catch.jpg?token=1',
  'POST /upload/resumable',
  'POST /upload/resumable?a=1',
  'POST /upload/resumable/sign',
  'PATCH /upload/resumable/an-upload',
  // Files of buckets that have the name of a call.
  'POST /object/list/folder/catch.jpg',
  'PUT /object/list/catch.jpg',
  'PUT /object/sign/catch.jpg',
  'POST /object/move/catch.jpg',
  'POST /object/upload/catch.jpg',
])('streams the body of %s', (request) => {
  expect(transferOf(request)).toBe('upload')
})

it.each([
  'GET /object/public/gallery/catch.jpg',
  'HEAD /object/authenticated/gallery-private/catch.jpg',
  'GET /object/sign/gallery/catch.jpg?token=1',
  'GET /object/gallery/catch.jpg',
  'GET /render/image/public/gallery/catch.jpg?width=480',
])('streams the response to %s', (request) => {
  expect(transferOf(request)).toBe('download')
})

it.each([
  'POST /object/list/gallery',
  'POST /object/list-v2/gallery',
  'POST /object/sign/gallery',
  'POST /object/sign/gallery/folder/catch.jpg',
  'POST /object/upload/sign/gallery/catch.jpg',
  'POST /object/move',
  'POST /object/copy',
  'DELETE /object/gallery',
  'DELETE /object/gallery/catch.jpg',
  'DELETE /upload/resumable/an-upload',
  'HEAD /upload/resumable/an-upload',
  'GET /object/info/gallery/catch.jpg',
  'GET /bucket',
  'POST /bucket',
  'PUT /bucket/gallery',
  'POST /bucket/gallery/empty',
  // The router finds the call behind these.
  'POST /object/%6cist/gallery',
  'POST /object/gallery/../list/gallery',
  'POST /object/gallery/%2e%2E/list/gallery',
  'POST /object/list/gallery#/catch.jpg',
  'POST /upload/resumable/../../object/list/gallery',
])('reads the body of %s whole', (request) => {
  expect(transferOf(request)).toBeNull()
})

it('takes nothing outside the file service for a transfer of a file', () => {
  expect(fileTransferOf('POST', '/rest/v1/object/gallery/catch.jpg')).toBeNull()
  expect(fileTransferOf('POST', 'http://shop.example/storage/v1/object/gallery/catch.jpg')).toBeNull()
  expect(fileTransferOf('POST', '/storage/v1/object/%')).toBeNull()
})

function transferOf(request: string): 'upload' | 'download' | null {
  const [method, path] = request.split(' ')
  return fileTransferOf(method, `/storage/v1${path}`)
}
