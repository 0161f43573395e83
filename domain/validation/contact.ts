import { emailAddress, textBetween, z } from './schema.ts'

export const contactSchema = z.object({
  name: textBetween(
    [2, 'Name must be at least 2 characters'],
    [100, 'Name must be less than 100 characters'],
  ),
  email: emailAddress(),
  subject: textBetween(
    [3, 'Subject must be at least 3 characters'],
    [200, 'Subject must be less than 200 characters'],
  ),
  message: textBetween(
    [10, 'Message must be at least 10 characters'],
    [2000, 'Message must be less than 2000 characters'],
  ),
})

export type Contact = z.infer<typeof contactSchema>
