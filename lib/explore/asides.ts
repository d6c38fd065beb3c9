import type { Choice } from './choices.ts';
import type { Ground } from './ground.ts';

/** What happens without anybody's call: rows expire, the clock moves, and the schedule ends. */

export function expiryChoices(ground: Ground): Choice[] {
  if (!ground.rows.expirable(ground.now)) return [];
  const choice: Choice = {
    id: 'ttl',
    actor: 'time to live',
    kind: 'optional',
    accesses: ground.platform.functions.tables
      .filter(({ expires }) => expires)
      .map(({ name }) => ({ place: name, writes: true })),
    label: 'time to live',
    describe: () => 'the time to live deletes what has expired',
    outcomes: () => [{ name: 'done', fault: null, act: () => void ground.rows.expire(ground.now) }],
  };
  return [choice];
}

/** @param pass moves the time */
export function clockChoices(ground: Ground, pass: (now: number) => void): Choice[] {
  const moves = ground.scenario.clockMoves ?? [];
  if (moves.length === 0 || !ground.mayFault('clock')) return [];
  const choice: Choice = {
    id: `clock ${ground.faultsLeft}`,
    actor: 'clock',
    kind: 'optional',
    accesses: [],
    label: 'clock',
    describe: () => 'the clock moves',
    outcomes: () => moves.map((ms) => ({ name: `by ${ms} ms`, fault: 'clock', act: () => pass(ground.now + ms) })),
  };
  return [choice];
}

export function endChoice(ground: Ground): Choice {
  const act = () => {
    ground.isFair = true;
  };
  return {
    id: 'end',
    actor: 'end',
    kind: 'end',
    accesses: [],
    label: 'end',
    describe: () => 'nothing more happens',
    outcomes: () => [{ name: 'done', fault: null, act }],
  };
}
