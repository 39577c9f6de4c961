import type { Sampling } from '../../model/model-request.ts'

/**
 * The sampling for another attempt after a reply that was only repetition: DRY at 0.8, which its authors recommend
 * (https://github.com/oobabooga/text-generation-webui/pull/5677), or a clear repetition penalty where the server has no DRY. The
 * penalty misspells the names of a story, because they were written before. Higher settings stay.
 */
export function raisedRepetition(sampling: Sampling, hasDry: boolean): Sampling {
  return hasDry
    ? { ...sampling, dry_multiplier: Math.max(sampling.dry_multiplier ?? 0, 0.8) }
    : { ...sampling, repeat_penalty: Math.max(sampling.repeat_penalty ?? 0, 1.15) }
}
