import { expect, it } from 'vitest'
import { layered } from './style-layers.ts'

it.each(['app/ui/button.module.css', 'app/ui/form/field.module.css'])(
  'puts the style sheet %s into the ui layer',
  (file) => {
    expect(layered('.a {}', `/shop/${file}`)).toContain('@layer ui {\n.a {}')
  },
)
