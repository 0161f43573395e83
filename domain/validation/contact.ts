import { emailAddress, textBetween, z } from './schema.ts'

export const contactSchema = z.object({
  name: textBetween({
    min: [2, 'Name must be at least 2 characters'],
    max: [100, 'Name must be less than 100 characters'],
  }),
  email: emailAddress(),
  subject: textBetween({
    min: [3, 'Subject must be at least 3 characters'],
    max: [200, 'Subject must be less than 200 characters'],
  }),
  message: textBetween({
    min: [10, 'Message must be at least 10 characters'],
    max: [2000, 'Message must be less than 2000 characters'],
  }),
})

export type Contact = z.infer<typeof contactSchema>
