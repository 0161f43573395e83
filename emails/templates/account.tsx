import { z } from 'zod'

import { shop } from '#shop'

import { Layout } from '../parts/layout.tsx'
import { Action, Paragraph, Quiet, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const linkSchema = z.object({ link: z.url() })
type WithLink = z.infer<typeof linkSchema>

export const emailConfirmation = template<WithLink>({
  props: linkSchema,
  subject: () => `Confirm your e-mail for ${shop.name}`,
  Body: ({ link }) => (
    <Layout preview="One tap and your account is ready.">
      <Title>Confirm your e-mail</Title>
      <Paragraph>One tap and your account is ready.</Paragraph>
      <Action href={link}>Confirm my e-mail</Action>
      <IfNotYou />
    </Layout>
  ),
})

export const passwordRecovery = template<WithLink>({
  props: linkSchema,
  subject: () => `Choose a new password for ${shop.name}`,
  Body: ({ link }) => (
    <Layout preview="The link works once and for one hour.">
      <Title>Choose a new password</Title>
      <Paragraph>The link works once and for one hour.</Paragraph>
      <Action href={link}>Choose a new password</Action>
      <IfNotYou />
    </Layout>
  ),
})

export const signInLink = template<WithLink>({
  props: linkSchema,
  subject: () => `Your sign-in link for ${shop.name}`,
  Body: ({ link }) => (
    <Layout preview="The link works once and for one hour.">
      <Title>Sign in</Title>
      <Paragraph>The link works once and for one hour.</Paragraph>
      <Action href={link}>Sign in</Action>
      <IfNotYou />
    </Layout>
  ),
})

function IfNotYou() {
  return <Quiet>You did not ask for this? Then leave it: nothing changes without the link.</Quiet>
}
