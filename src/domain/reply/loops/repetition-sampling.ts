import type { Sampling } from '../../model/model-request.ts'

/**
 * The sampling for another attempt after a reply that was only repetition: DRY at 0.8, which its authors recommend
 * (https://github.com/oobabooga/text-generation-webui/pull/5677), and a clear repetition penalty. Higher settings stay.
 */
export function raisedRepetition(sampling: Sampling): Sampling {
  return {
    ...sampling,
    dry_multiplier: Math.max(sampling.dry_multiplier ?? 0, 0.8),
    repeat_penalty: Math.max(sampling.repeat_penalty ?? 0, 1.15),
  }
}
