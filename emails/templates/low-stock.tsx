import { Column, Img, Row, Text } from '@react-email/components'
import { z } from 'zod'

import { Layout } from '../parts/layout.tsx'
import { smallPicture } from '../parts/picture.ts'
import { colour as paint } from '#domain/brand.ts'
import { Action, Paragraph, Muted, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const PICTURE_WIDTH = 56

/** To the shop, once each time a colour falls to its threshold. */
export const lowStock = template({
  props: z.object({
    colours: z
      .array(
        z.object({
          productId: z.string(),
          productName: z.string(),
          variantName: z.string(),
          imageUrl: z.string().nullish(),
          left: z.number(),
        }),
      )
      .min(1),
  }),
  subject: ({ colours: [first, ...more] }) =>
    more.length > 0
      ? `Running low: ${more.length + 1} colours`
      : `Running low: ${first?.variantName}, ${leftText(first?.left ?? 0)}`,
  Body: ({ publicUrl, colours }) => (
    <Layout preview={colours.map(({ variantName, left }) => `${variantName}: ${leftText(left)}`).join(', ')}>
      <Title>Running low</Title>
      <Paragraph>These colours have reached their low-stock threshold:</Paragraph>
      {colours.map((colour) => (
        <Row key={`${colour.productId} ${colour.variantName}`} className="line columns" style={line}>
          <Column style={pictureCell}>
            {colour.imageUrl && (
              <Img
                src={smallPicture(colour.imageUrl, publicUrl, 112)}
                width={PICTURE_WIDTH}
                height={PICTURE_WIDTH}
                alt=""
                style={picture}
              />
            )}
          </Column>
          <Column style={cell}>
            <Text className="ink" style={{ ...text, fontWeight: 600 }}>
              {colour.variantName}
            </Text>
            <Text className="muted" style={{ ...text, color: paint.muted, fontSize: '14px' }}>
              {colour.productName}
            </Text>
          </Column>
          <Column align="right" style={cell}>
            <Text className="ink" style={{ ...text, fontWeight: 600, whiteSpace: 'nowrap' }}>
              {leftText(colour.left)}
            </Text>
          </Column>
        </Row>
      ))}
      <Action href={`${publicUrl}/admin/low-stock`}>See what to make</Action>
      <Muted>
        You get one alert per colour, and another only after you have restocked it. Set the threshold on the
        lure’s page, or for all lures on the low-stock list.
      </Muted>
    </Layout>
  ),
})

function leftText(left: number): string {
  return left === 0 ? 'none left' : `${left} left`
}

const line = { borderBottom: `1px solid ${paint.line}` }
const cell = { padding: '12px 0' }
const pictureCell = { ...cell, width: `${PICTURE_WIDTH + 16}px` }
const picture = { borderRadius: '4px', objectFit: 'cover' as const }
const text = { margin: 0, color: paint.ink, fontSize: '16px', lineHeight: '22px' }
