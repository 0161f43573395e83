/** Without these, an element looks, scrolls and appears as the browser's own does. */
const REFINEMENTS = [
  'accent-color',
  'field-sizing',
  'forced-color-adjust',
  'overscroll-behavior',
  'overscroll-behavior-x',
  'resize',
  'scrollbar-color',
  'scrollbar-width',
  'text-wrap',
]

/**
 * Refuses CSS that a supported browser (Safari 17, Chrome 120, Firefox ESR 140: the browsers of 2023) lacks, unless `@supports` asks for it.
 *
 * @type {import('stylelint').Config}
 */
export default {
  plugins: ['stylelint-plugin-use-baseline'],
  rules: {
    'plugin/use-baseline': [
      true,
      {
        available: 2023,
        // Firefox has it since 128, the others before 2023.
        ignoreAtRules: ['property', 'starting-style'],
        ignoreSelectors: ['marker'],
        ignoreProperties: Object.fromEntries(
          // The build writes `user-select` with its prefix as well; `ui-monospace` has other fonts behind it.
          [...REFINEMENTS, 'user-select', 'font-family'].map((name) => [name, ['/./']]),
        ),
      },
    ],
  },
}
