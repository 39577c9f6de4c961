import { forEachSampler, type SAMPLERS, type Settings } from '../settings.ts'

export type SamplingSettings = Pick<Settings, 'temperature' | (typeof SAMPLERS)[number]>

const NONE = forEachSampler(() => null)

/** Sampling presets, from the most predictable to the most varied. Of each, a server is sent what it supports. */
export const SAMPLING_PRESETS: Record<'steady' | 'balanced' | 'wild', SamplingSettings> = {
  steady: { ...NONE, temperature: 0.6, min_p: 0.05, top_p: 0.9 },
  // The preset of a new library.
  balanced: { ...NONE, temperature: 0.8 },
  wild: { ...NONE, temperature: 1.15, min_p: 0.05, top_p: 0.98 },
}

export type SamplingPreset = keyof typeof SAMPLING_PRESETS

/** Null if no preset equals the settings. */
export function presetOf(settings: SamplingSettings): SamplingPreset | null {
  const names = Object.keys(SAMPLING_PRESETS) as SamplingPreset[]
  return names.find((name) => isSame(SAMPLING_PRESETS[name], settings)) ?? null
}

function isSame(one: SamplingSettings, other: SamplingSettings): boolean {
  return (Object.keys(one) as (keyof SamplingSettings)[]).every((name) => one[name] === other[name])
}
