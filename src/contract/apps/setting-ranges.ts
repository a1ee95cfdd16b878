/**
 * The ranges of the settings of answers, which AI profiles, workflows, bindings, assistants and
 * stages may have (spec 2.9). Both ends are allowed.
 */
export const settingRanges = {
  temperature: { least: 0, most: 2 },
  max_tokens: { least: 1, most: 8_192 },
  time_limit_seconds: { least: 1, most: 300 },
  /** Passages that the model sees at first. */
  sources: { least: 1, most: 20 },
  /** The share of a sentence's words that its source must have. */
  support_threshold: { least: 0, most: 1 },
} as const satisfies Readonly<Record<string, { readonly least: number; readonly most: number }>>;

export type RangedSetting = keyof typeof settingRanges;
