import assert from 'node:assert/strict';
import type { Scenario } from '../../lib/explore/scenario.ts';

/** A scenario whose calls are refused shows nothing: each client's last call is served. */
export function served(...clients: readonly string[]): Scenario['invariants'] {
  return {
    'who repeats a call is served in the end': ({ calls }) => {
      for (const client of clients) {
        const { operation, answer } = calls.findLast((call) => call.client === client) ?? {};
        assert.ok([200, 201, 202].includes(answer?.status ?? 0), `${client}: ${operation} is ${answer?.status}`);
      }
    },
  };
}
