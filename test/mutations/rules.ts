/** One broken rule: `find` occurs once in `file`, and `replace` is a plausible mistake. */
export interface Mutation {
  rule: string
  file: string
  find: string
  replace: string
}

/** test/stories must notice each of these; `npm run mutations` tries them one after the other. */
export const MUTATIONS: Mutation[] = [
  {
    rule: 'a turn gives no more than the cap',
    file: 'src/domain/world/referee.ts',
    find: 'const capped = Math.min(Math.max(wanted, -(maxLoss ?? most)), maxGain ?? most)',
    replace: 'const capped = Math.max(wanted, -(maxLoss ?? most))',
  },
  {
    rule: 'losses have a cap of their own',
    file: 'src/domain/world/rules.ts',
    find: "maxLoss: capIn(def, 'max_loss_per_turn') ?? cap",
    replace: "maxLoss: cap ?? capIn(def, 'max_loss_per_turn')",
  },
  {
    rule: 'a stat rests for so many indexes and no longer',
    file: 'src/domain/world/referee.ts',
    find: 'turn - last < cooldown',
    replace: 'turn - last <= cooldown',
  },
  {
    rule: 'what does not move does not begin to rest',
    file: 'src/domain/world/referee.ts',
    find: 'if (next !== old) write(state, stat, next, turn)',
    replace: 'write(state, stat, next, turn)',
  },
  {
    rule: 'a change of nothing is passed over',
    file: 'src/domain/world/referee.ts',
    find: 'if (roundedNumber(wanted) === 0) return null',
    replace: 'if (roundedNumber(wanted) === 0 && isCooling(state, stat, turn)) return null',
  },
  {
    rule: 'a counter only goes up',
    file: 'src/domain/world/referee.ts',
    find: "if (stat.kind === 'counter' && wanted < 0)",
    replace: "if (stat.kind === 'counter' && wanted < -1)",
  },
  {
    rule: 'a milestone is reached once',
    file: 'src/domain/world/referee.ts',
    find: 'if (isReached(state, milestone)) return null',
    replace: '',
  },
  {
    rule: 'nothing falls below its least value',
    file: 'src/lib/numbers.ts',
    find: 'const raised = Math.max(value, min ?? -LARGEST_NUMBER)',
    replace: 'const raised = min !== null && value < min ? value : Math.max(value, -LARGEST_NUMBER)',
  },
  {
    rule: 'a band holds its lower edge and not its upper one',
    file: 'src/domain/world/rules.ts',
    find: 'low <= value && value < high',
    replace: 'low < value && value <= high',
  },
  {
    rule: 'what is hidden is unknown to the model',
    file: 'src/domain/world/path-resolver.ts',
    find: 'hidden || !stat.hidden',
    replace: 'true',
  },
  {
    rule: 'two spellings of one path are one change',
    file: 'src/domain/world/referee.ts',
    find: 'if (lastOf.get(found.path) !== written)',
    replace: 'if (lastOf.get(written) !== written && false)',
  },
  {
    rule: 'a change is told by a sentence of its passage',
    file: 'src/domain/world/recorder/answer.ts',
    find: '!this.passage.includes(folded)',
    replace: 'false',
  },
  {
    rule: 'amounts for one number add up before its cap',
    file: 'src/domain/world/recorder/answer.ts',
    find: 'return roundedNumber(one + other)',
    replace: 'return other',
  },
  {
    rule: 'another schema heals nobody',
    file: 'src/domain/world/reconcile.ts',
    find: 'const fitted = old === undefined ? { value: initialValue(stat) } : fittedValue(stat, old)',
    replace:
      'const fitted = old === undefined || stat.max !== null ? { value: initialValue(stat) } : fittedValue(stat, old)',
  },
  {
    rule: 'what is gone takes its cooldown along',
    file: 'src/domain/world/reconcile.ts',
    find: '  dropCooldowns(state, removed)\n',
    replace: '',
  },
  {
    rule: 'a range that was narrowed holds for what is there',
    file: 'src/domain/world/reconcile.ts',
    find: "return value === old ? { value: old } : { value, what: 'range' }",
    replace: 'return { value: old }',
  },
  {
    rule: 'a player’s hand keeps to the range',
    file: 'src/domain/world/manual-change.ts',
    find: 'const next = clamp(roundedNumber(wanted), stat.min, stat.max)',
    replace: 'const next = clamp(roundedNumber(wanted), stat.min, null)',
  },
  {
    rule: 'the player’s own cards are left alone',
    file: 'src/domain/refresh/compare-cards.ts',
    find: 'if (ref === null || wanted.has(ref)) continue',
    replace: "if (wanted.has(ref ?? '')) continue",
  },
  {
    rule: 'the words of a line are stored as the player meant them',
    file: 'src/domain/text/player-line.ts',
    find: 'return isSentence(line) ? capitalized(line) :',
    replace: 'return',
  },
  {
    rule: 'the same line again is the one that waits',
    file: 'src/app/turn/play-turn.ts',
    find: 'return newest && isSame && (found === null || newest.roll !== null) ? newest.id : null',
    replace: 'return null',
  },
  {
    rule: 'a retry is judged at its own index',
    file: 'src/app/turn/turn-target.ts',
    find: 'return { index: retried.index, before:',
    replace: 'return { index: retried.index + 1, before:',
  },
  {
    rule: 'a retry starts from the world before it',
    file: 'src/app/turn/turn-target.ts',
    find: 'before: getVariants(reader, retried.id).world_state_before ?? state, roll }',
    replace: 'before: state, roll }',
  },
  {
    rule: 'a retry appends, and what it told is live',
    file: 'src/app/turn/reply/save-reply.ts',
    find: 'variant_index: variants.length - 1,',
    replace: 'variant_index: earlier.length - 1 < 0 ? 0 : earlier.length - 1,',
  },
  {
    rule: 'a retry makes the memories of its passage stale',
    file: 'src/app/turn/reply/save-reply.ts',
    find: 'if (retried) invalidateFrom(tx, adventureId, retried.index)',
    replace: '',
  },
  {
    rule: 'a switch brings the world of its variant back',
    file: 'src/app/turn/edit-action.ts',
    find: 'if (state) updateWorldState(tx, adventure_id, reconciledState(world.schema, state))',
    replace: '',
  },
  {
    rule: 'only the newest passage can be switched',
    file: 'src/app/turn/edit-action.ts',
    find: 'if (!isNewest(tx, action))',
    replace: 'if (!isNewest(tx, action) && index === action.variant_index)',
  },
  {
    rule: 'an edit rewrites the live variant',
    file: 'src/app/turn/edit-action.ts',
    find: 'i === action.variant_index ? { ...variant',
    replace: 'i === 0 ? { ...variant',
  },
  {
    rule: 'an edit of the end removes the mark of a reply that was cut off',
    file: 'src/app/turn/edit-action.ts',
    find: 'isEndNew(action.text, text) ? null : action.cut',
    replace: 'action.cut',
  },
  {
    rule: 'an edit of another variant than the live one is refused',
    file: 'src/app/turn/edit-action.ts',
    find: 'edit.variant_index !== action.variant_index',
    replace: 'edit.variant_index < action.variant_index',
  },
  {
    rule: 'an undo brings the world before the turn back',
    file: 'src/app/turn/undo-turn.ts',
    find: 'const before = findWorldBefore(tx, removed[0].id)',
    replace: 'const before = findWorldBefore(tx, (removed[1] ?? removed[0]).id)',
  },
  {
    rule: 'an undo takes the line along that was answered',
    file: 'src/app/turn/undo-turn.ts',
    find: "last.type === 'ai' && before && isPlayerLine(before.type)",
    replace: "last.type === 'ai' && before?.type === 'do'",
  },
  {
    rule: 'an undo prunes the memories of what is gone',
    file: 'src/app/turn/undo-turn.ts',
    find: '    pruneMemories(tx, adventureId, lastIndex)\n',
    replace: '',
  },
  {
    rule: 'what is set by hand belongs to the live variant',
    file: 'src/app/adventure/world-state.ts',
    find: 'report: withManual(report, changes), state: after } }',
    replace: 'report: withManual(report, changes), state: current.world_state?.state ?? after } }',
  },
  {
    rule: 'what is set by hand on a line is told there',
    file: 'src/app/adventure/world-state.ts',
    find: 'else if (newest) updateWorldDelta(tx, newest.id, withManual(newest.world_delta, changes))',
    replace: 'else if (newest) updateWorldDelta(tx, newest.id, withManual(null, changes))',
  },
  {
    rule: 'a rewrite leaves what was not chosen as it was',
    file: 'src/domain/model/rewrite.ts',
    find: 'made += text.slice(at, span.start) + words',
    replace: 'made += text.slice(at, span.start).trimEnd() + words',
  },
  {
    rule: 'a rewrite keeps the stat changes of its version',
    file: 'src/domain/variant.ts',
    find: '{ raw_output, cleaned, ...kept }: Variant,',
    replace: '{ raw_output, cleaned, world_state, ...kept }: Variant,',
  },
  {
    rule: 'a stop keeps the prose',
    file: 'src/app/turn/reply/generate-reply.ts',
    find: 'if (isInvisible(collector.text)) throw interruption(turn, error)',
    replace:
      'if (collector.blocks.length > 0 || isInvisible(collector.text)) throw interruption(turn, error)',
  },
  {
    rule: 'a reply of numbers alone is refused',
    file: 'src/app/turn/reply/generate-reply.ts',
    find: 'if (isInvisible(collector.text) || (second && collector.isWorthless)) throw emptyReply(collector)',
    replace: 'if (second && collector.isWorthless) throw emptyReply(collector)',
  },
  {
    rule: 'a reply that the model cut is marked so',
    file: 'src/app/turn/reply/reply-collector.ts',
    find: 'received.cut = part.cut\n',
    replace: '',
  },
  {
    rule: 'a story counts by its own schema until it is refreshed',
    file: 'src/db/tables/adventures.ts',
    find: 'schema: parseObjectColumn(pinned ? row.own : row.authored),',
    replace: 'schema: parseObjectColumn(row.authored ?? row.own),',
  },
  {
    rule: 'a change of the story ends what is being recorded',
    file: 'src/app/runtime/turn-lock.ts',
    find: "    this.recordings.end(adventureId, 'changed')\n",
    replace: '',
  },
  {
    rule: 'what was told is recorded only while the story is unchanged',
    file: 'src/app/recording/recorded-passage.ts',
    find: 'found === null || identityOf(found) !== identityOf(asked)',
    replace: 'found === null',
  },
  {
    rule: 'a line that waits for what is recorded was said in the world after it',
    file: 'src/app/recording/recorded-passage.ts',
    find: '    updateWorldBefore(tx, line.id, state)\n',
    replace: '',
  },
  {
    rule: 'a new line does not end what is being recorded',
    file: 'src/app/turn/play-turn.ts',
    find: 'const lock = deps.locks.takeForLine(adventureId)',
    replace: 'const lock = deps.locks.take(adventureId)',
  },
  {
    rule: 'what the player set stays on top of what is recorded again',
    file: 'src/app/recording/recorded-passage.ts',
    find: 'state: manual.after }',
    replace: 'state: record.state }',
  },
  {
    rule: 'a line waits for what is recorded',
    file: 'src/app/recording/record-passage.ts',
    find: 'if (!recordings.isRunning(adventureId)) return',
    replace: 'if (recordings.isRunning(adventureId)) return',
  },
  {
    rule: 'Stop ends the wait of a line, and not its turn',
    file: 'src/app/turn/play-turn.ts',
    find: "return recordings.end(adventureId, 'stopped') || locks.stop(adventureId)",
    replace: "return locks.stop(adventureId) || recordings.end(adventureId, 'stopped')",
  },
  {
    rule: 'a stale form writes nothing',
    file: 'src/views/play/story-response.tsx',
    find: 'if (newest === undefined || idFrom(newest) === (newestView(app, id)?.id ?? 0)) return',
    replace: 'if (newest === undefined || idFrom(newest) <= (newestView(app, id)?.id ?? 0)) return',
  },
]
