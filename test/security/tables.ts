import { type LimitRow, limitRows } from './limits.ts'
import {
  accountFunctions,
  functionCallers,
  otherRoutes,
  type RouteGroup,
  routeGroups,
  visitorFunctions,
  visitorInserts,
} from './routes.ts'

/** The generated parts of docs/security.md, by the name in their markers. */
const generatedParts: Record<string, string> = {
  limits: table(
    ['Limit', 'Endpoint', 'Key', 'Count', 'Window', 'Response', 'Source'],
    limitRows.map(({ name, endpoints, key, count, window, response, source }: LimitRow) => [
      `\`${name}\``,
      endpoints,
      key,
      count,
      window,
      response,
      `[${source.split('/').at(-1)}](../${source})`,
    ]),
  ),
  routes: table(
    ['Route', 'Caller', 'Limits'],
    [
      ...[...routeGroups, ...otherRoutes].flatMap(rowsOf),
      ...Object.entries(functionCallers).map(([name, caller]) => [
        `\`POST /functions/v1/${name}\``,
        caller,
        named(['functionByAccount', 'functionByAddress']),
      ]),
      ...visitorInserts.map((name) => [
        `\`POST /rest/v1/${name}\``,
        'publishable key',
        named(['visitor', 'manyRows']),
      ]),
      ['`POST /rest/v1/orders`', 'session', named(['placeOrder'])],
      ['`POST /rest/v1/cart_items`', 'session', named(['cartLines'])],
      ...Object.entries(visitorFunctions).map(([name, limits]) => [
        `\`/rest/v1/rpc/${name}\``,
        'publishable key',
        named(limits),
      ]),
      [
        accountFunctions.map((name) => `\`rpc/${name}\``).join(' '),
        'session',
        `${named(['concurrency'])}; \`place_order\`: ${named(['placeOrder'])}; \`set_marketing_consent\`: ${named(['changeConsent'])}`,
      ],
    ],
  ),
}

function rowsOf({ caller, limits, routes }: RouteGroup): string[][] {
  const text = typeof limits === 'string' ? limits : named(limits)
  return routes.map((route) => [`\`${route}\``, caller, text])
}

function named(limits: string[]): string {
  return limits.map((name) => `\`${name}\``).join(', ')
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

/** Returns the page with every generated part replaced. */
export function withGeneratedParts(page: string): string {
  return Object.entries(generatedParts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: generated -->\n)[^]*?(\n<!-- end -->)`),
        (_, start: string, end: string) => `${start}\n${part}\n${end}`,
      ),
    page,
  )
}
