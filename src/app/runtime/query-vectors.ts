/** Newest passages whose vectors are kept: those of the stories in play, and what their retries go back to. */
const MAX_PASSAGES = 16

/** What is known of the vectors of a model before the player's line is. */
interface KnownVectors {
  /** What any line of any player resembles. */
  neutral: Float32Array | null
  /** By the embedded end of a passage, the most recent last. */
  passages: Map<string, Float32Array>
}

/** Vectors that more than one turn looks for, by embedding model. Forgotten on restart. */
export class QueryVectors {
  private readonly known = new Map<string, KnownVectors>()

  of(model: string): KnownVectors {
    const known = this.known.get(model) ?? { neutral: null, passages: new Map() }
    this.known.set(model, known)
    return known
  }

  keepNeutral(model: string, vector: Float32Array): Float32Array {
    this.of(model).neutral = vector
    return vector
  }

  keepPassage(model: string, passage: string, vector: Float32Array): void {
    const { passages } = this.of(model)
    passages.set(passage, vector)
    const [oldest] = passages.keys()
    if (passages.size > MAX_PASSAGES && oldest !== undefined) passages.delete(oldest)
  }
}
