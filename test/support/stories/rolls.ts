/** A roll of one die that was successful. */
export const ROLL = {
  check: 'Climb',
  difficulty: 'hard',
  dice: '1d20',
  stat: null,
  thrown: [12],
  bonus: 0,
  total: 12,
  against: 10,
  outcome: 'you are up',
  effects: {},
  rerolls: 0,
  price: {},
  schema: 'x',
}
