import { expect, test } from 'vitest';
import type { Step } from '../../functions/erasure/rules/due.ts';
import { sweep } from '../../functions/erasure/workflows/sweep.ts';
import { hashOfUser, type Line } from '../../lib/runtime/log.ts';

async function* due(...users: string[]) {
  yield* users;
}

function opened(step: (userId: string) => Promise<Step | null>, remainingMs = () => 60_000) {
  const lines: Line[] = [];
  return { lines, stepEffects: { step, remainingMs, log: (line: Line) => void lines.push(line) } };
}

test('the steps are counted, even if a step was no longer due', async () => {
  const { stepEffects } = opened(async (userId) => (userId === 'b' ? null : 'erase'));
  expect(await sweep(due('a', 'b', 'c'), stepEffects)).toEqual({
    settle: 0,
    witness: 0,
    close: 0,
    erase: 2,
    release: 0,
    left: 0,
    failed: 0,
    complete: true,
  });
});

test('no step is begun when time is nearly up, and the run fails: the next one could come as far and no further', async () => {
  const left = [60_000, 19_999];
  const { stepEffects, lines } = opened(
    async () => 'close',
    () => left.shift() ?? 0,
  );
  await expect(sweep(due('a', 'b', 'c'), stepEffects)).rejects.toMatchObject({ name: 'StepsFailed' });
  expect(lines).toMatchObject([{ level: 'ERROR', close: 1, complete: false }]);
});

test('a failure stops nobody else, makes the run fail at its end, and names no user', async () => {
  const taken: string[] = [];
  const { stepEffects, lines } = opened(async (userId) => {
    if (userId === 'secret-id') throw new Error(`secret-id cannot be erased`);
    taken.push(userId);
    return 'release';
  });
  await expect(sweep(due('a', 'secret-id', 'c'), stepEffects)).rejects.toMatchObject({ name: 'StepsFailed' });
  expect(taken).toEqual(['a', 'c']);
  expect(lines.at(-1)).toMatchObject({ level: 'ERROR', release: 2, failed: 1 });
  expect(JSON.stringify(lines.map(({ error: _stack, ...line }) => line))).not.toContain('secret-id');
  expect(JSON.stringify(lines)).not.toContain('cannot be erased');
  // Whoever looks into it finds the user by the hash that the requests' lines have.
  expect(lines[0]?.user).toBe(hashOfUser('secret-id'));
});

test('a user on whom another run works is left for the next run, and is not a failure', async () => {
  const { stepEffects, lines } = opened(async (userId) => {
    if (userId === 'b') {
      const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
      throw Object.assign(new Error(), { name: 'TransactionCanceledException', CancellationReasons });
    }
    return 'erase';
  });
  expect(await sweep(due('a', 'b', 'c'), stepEffects)).toMatchObject({ erase: 2, left: 1, failed: 0 });
  expect(lines).toEqual([]);
});
