import { expect, test } from 'vitest';
import type { Progress } from '../../functions/personal-exports/rules/export.ts';
import type { Plan } from '../../functions/personal-exports/rules/plan.ts';
import { gather, isGathered } from '../../functions/personal-exports/workflows/gather.ts';

/** A file of three rows, one a page, gathered by invocations whose time runs out at whatever moment. */

const table = { table: { name: 'Notes' } };
const plan = {
  sources: [{ kind: 'rows', id: 'notes', file: 'notes.json', table, isFirstOfFile: true, isLastOfFile: true }],
} as unknown as Plan;
const nothing = { source: 0, position: null, rows: {}, parts: [] } as unknown as Progress;

/** @param moments what is answered, in order, to whether time is up; then it is not */
async function gathered(moments: readonly boolean[]): Promise<{ text: string; invocations: number }> {
  const parts: string[] = [];
  const left = [...moments];
  let progress = nothing;
  let invocations = 0;
  while (!isGathered(plan, progress)) {
    invocations += 1;
    progress = await gather(plan, progress, {
      readRows: async (_source, after) => {
        const number = Number(after?.n ?? 0) + 1;
        return { rows: [{ n: number }], next: number === 3 ? null : { n: number } };
      },
      writeText: () => Promise.reject(new Error('there is no text')),
      putPart: async ({ text }) => void parts.push(text),
      save: async () => undefined,
      isTimeUp: () => left.shift() ?? false,
    });
  }
  return { text: parts.join(''), invocations };
}

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'time is up when it is asked for the %ith time: the file is whole all the same',
  async (at) => {
    const moments = Array.from({ length: at + 1 }, (_, index) => index === at);
    const whole = await gathered([]);
    expect(JSON.parse(whole.text)).toEqual({ Notes: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect((await gathered(moments)).text).toBe(whole.text);
  },
);
