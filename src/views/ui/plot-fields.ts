import type { AutosaveText } from './autosave-form.tsx'

/** The texts that steer the narrator, in a scenario and in a story alike. */
export const PLOT_ESSENTIALS: AutosaveText = {
  name: 'memory',
  label: 'Plot essentials',
  rows: 5,
  hint: 'Facts that stay true throughout. Always sent to the model.',
  isSent: true,
}
export const GUIDANCE: AutosaveText[] = [
  {
    name: 'authors_note',
    label: 'Author’s note',
    rows: 2,
    hint: 'Style and mood. Sent close to the latest passage.',
    isSent: true,
  },
  {
    name: 'ai_instructions',
    label: 'AI instructions',
    rows: 3,
    hint: 'Rules for the narrator, such as tense, point of view and pacing.',
    isSent: true,
  },
  {
    name: 'example_dialogue',
    label: 'Example dialogue',
    rows: 3,
    hint: 'How the characters speak. Sent until a long story needs the room.',
    isSent: true,
  },
]
