import { Link } from 'react-router'
import type { Catch } from '#app/storefront/gallery/approved-catches.server.ts'
import { Grid, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'

/** Approved gallery photos of catches on this lure. */
export function LureCatches({ catches }: { catches: Catch[] }) {
  if (catches.length === 0) return null
  return (
    <Stack as="section" contained gap={5} block={[8, 0]} aria-labelledby="catches">
      <Row gap={2} columnGap={5} align="baseline" justify="between" wrap>
        <Text as="h2" size="title-l" id="catches">
          Caught on this lure
        </Text>
        <Row as={Link} inline touch to="/gallery">
          All catches
        </Row>
      </Row>
      <Grid as="ul" columns="repeat(auto-fill, minmax(min(280px, 100%), 1fr))" gap={5} columnGap={4}>
        {catches.map(({ id, customerName, description, pictures: [picture] }) => (
          <li key={id}>
            {picture && (
              <Picture
                src={picture}
                alt={`${description} (photo by ${customerName})`}
                width={1200}
                height={900}
                sizes="(min-width: 960px) 33vw, (min-width: 560px) 50vw, 84vw"
                ratio="4 / 3"
              />
            )}
            <Text size="s" breakWords above={2}>
              {description}{' '}
              <Text as="span" tone="muted">
                {customerName}
              </Text>
            </Text>
          </li>
        ))}
      </Grid>
    </Stack>
  )
}
