import type { Calls } from './calls.ts';
import type { Environments } from './environments.ts';
import type { Ground } from './ground.ts';
import type { Scripts } from './scripts.ts';
import type { Sources } from './sources.ts';
import type { Timers } from './timers.ts';

/** For an exhaustive exploration: states that need not be told apart. */

type Parts = {
  readonly ground: Ground;
  readonly timers: Timers;
  readonly calls: Calls;
  readonly environments: Environments;
  readonly scripts: Scripts;
  readonly sources: Sources;
};

/** Equal where the same stores, queues, clock and timers are there, and each open invocation and warm environment saw the same. */
export function stateHash({ ground, timers, calls, environments, scripts, sources }: Parts): string {
  const { rows, outside, now, faultsLeft } = ground;
  const living = environments.all
    .filter(({ isDead }) => !isDead)
    .map(
      ({ fn, seen, invocation }) =>
        `${fn.name} ${seen} ${invocation ? `${invocation.actor} ${invocation.asked} ${invocation.seen}` : ''}`,
    )
    .sort();
  return JSON.stringify([
    rows.hash(),
    {
      ...outside,
      objects: Object.entries(outside.objects).map(([key, versions]) => [key, versions.map(({ id }) => id)]),
    },
    now,
    faultsLeft,
    living,
    calls.pending.map(({ id, attempt }) => `${id} ${attempt}`).sort(),
    timers.all.map(({ at, environment: { fn } }) => `${fn.name} ${at}`).sort(),
    scripts.waiting.map(({ id }) => id).sort(),
    [...scripts.seen].sort(),
    realTimeOrder(scripts, environments),
    sources.states.map(({ cursor, last, running, attempts, fires }) => [cursor, last, running, attempts, fires]),
  ]);
}

/** For each call which others had ended before it began. */
function realTimeOrder({ calls }: Scripts, environments: Environments): string[] {
  const open = environments.all.flatMap(({ invocation }) => (invocation?.begun === undefined ? [] : [invocation]));
  const all = [...calls, ...open.map(({ actor, begun }) => ({ client: actor, begun: begun as number }))];
  return all
    .map(({ client, begun }) => `${client} ${calls.filter(({ ended }) => ended <= begun).map((each) => each.client)}`)
    .sort();
}
