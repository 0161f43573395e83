type TextKey<Draft> = {
  [Key in keyof Draft]-?: Draft[Key] extends string | null ? Key : never
}[keyof Draft]

/** Returns a function that connects a field with one text of a draft: `<TextField label="City" {...field('city')} />`. */
export function fieldsOf<Draft extends object>(draft: Draft, onChange: (draft: Draft) => void) {
  return (name: TextKey<Draft>) => ({
    value: String(draft[name] ?? ''),
    onValue: (value: string) => onChange({ ...draft, [name]: value }),
  })
}
