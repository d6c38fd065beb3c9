import { asked, type PersonalExport, type Progress } from '../../functions/personal-exports/rules/export.ts';
import { filesOf, planOf } from '../../functions/personal-exports/rules/plan.ts';
import { continueExport, giveUp, type World } from '../../functions/personal-exports/workflows/continue-export.ts';
import type { ExportPosition } from '../../lib/runtime/exporter.ts';

/** An export in memory: its row, its objects and its queue, and a crash before or after any effect. */

export class Crash extends Error {}

const inEnglish = { holds: '', why: '', howLong: '', readers: '' };
const tables = {
  Empty: 0,
  Devices: 3,
  Diary: 25,
};
const named = (name: string) => ({ table: { name, partitionKey: 'userId' }, inEnglish });

const plan = planOf(
  [
    { domain: 'devices', tables: [named('Empty'), named('Devices')] },
    { domain: 'diary', tables: [named('Diary')] },
  ],
  [{ name: 'page.html', by: 'writePage' }],
  () => true,
);

const minute = 60_000;

/** @param pagesPerInvocation after which an invocation's time is up */
export function inMemory(pagesPerInvocation = Number.POSITIVE_INFINITY) {
  const start = new Date('2026-03-01T12:00:00.000Z');
  let now = start.getTime();
  let row: PersonalExport | null = asked({
    userId: 'u',
    application: 'sleepcare',
    now: start,
    random: '0123456789abcdef',
  });
  const objects = new Map<string, string>();
  const zips: string[] = [];
  let messages = 1;
  let effects = 0;
  let pages = 0;
  let remainingMs = minute;
  let interrupt: (number: number, when: 'before' | 'after') => void = () => {};

  /** Each call that leaves the function: it can be the last one. */
  async function effect<T>(act: () => T): Promise<T> {
    const number = effects;
    effects += 1;
    interrupt(number, 'before');
    const result = act();
    interrupt(number, 'after');
    return result;
  }
  const removeBelow = (prefix: string) => {
    for (const key of [...objects.keys()]) if (key.startsWith(prefix)) objects.delete(key);
  };
  const spend = () => {
    pages += 1;
    if (pages % pagesPerInvocation === 0) remainingMs = 1000;
  };
  const whole = (progress: Progress) =>
    JSON.stringify(
      filesOf(plan).map((file) => [
        file,
        Array.from({ length: progress.parts[file] ?? 0 }, (_, number) => objects.get(`parts/${file}/${number}`)).join(
          '',
        ),
      ]),
    );

  const world: World = {
    read: () => effect(() => row && structuredClone(row)),
    replace: (before, after) =>
      effect(() => {
        if (row?.revision !== before.revision) return false;
        row = structuredClone(after);
        return true;
      }),
    removeAll: () => effect(() => removeBelow('')),
    removeParts: () => effect(() => removeBelow('parts/')),
    sources: async () => ({
      readRows: ({ table }, after) =>
        effect(() => {
          spend();
          const from = Number((after as { from: number } | null)?.from ?? 0);
          const count = tables[table.table.name as keyof typeof tables];
          const rows = Array.from({ length: Math.min(2, count - from) }, (_, index) => ({ entry: from + index }));
          const next: ExportPosition | null = from + 2 < count ? { from: from + 2 } : null;
          return { rows, next };
        }),
      writeText: (_source, after) =>
        effect(() => {
          spend();
          return after ? { text: '</html>', next: null } : { text: '<html>', next: { half: true } };
        }),
      putPart: ({ file, number, text }) => effect(() => void objects.set(`parts/${file}/${number}`, text)),
    }),
    putZip: (_row, progress) =>
      effect(() => {
        const zip = whole(progress);
        objects.set('export.zip', zip);
        zips.push(zip);
        return zip.length;
      }),
    sendOn: () =>
      effect(() => {
        messages += 1;
      }),
    now: () => new Date(now),
    remainingMs: () => remainingMs,
  };

  /** One delivery of a message: it is gone when nothing was thrown. */
  async function deliver(isLast = false) {
    remainingMs = minute;
    try {
      const outcome = await continueExport(plan, world);
      messages -= 1;
      return outcome;
    } catch (error) {
      if (isLast) await giveUp(world);
      if (!(error instanceof Crash)) throw error;
      return 'crashed' as const;
    } finally {
      // A message that was not consumed comes again after six minutes, when the lease is over; any other is after it.
      now += 6 * minute;
    }
  }

  return {
    deliver,
    /** @returns how often until no message was left */
    async deliverAll(most = 100): Promise<number> {
      let times = 0;
      for (; messages > 0; times += 1) {
        if (times > most) throw new Error('it does not end');
        await deliver();
      }
      return times;
    },
    interrupt: (how: typeof interrupt) => {
      interrupt = how;
    },
    erase: () => {
      row = null;
      objects.clear();
    },
    elapse: (milliseconds: number) => {
      now += milliseconds;
    },
    change: (what: Partial<PersonalExport>) => {
      if (row) row = { ...row, ...what };
    },
    world,
    row: () => row,
    objects,
    zips,
    effects: () => effects,
    messages: () => messages,
  };
}

/** What the ZIP of the export in memory is. */
export const expected = JSON.stringify([
  [
    'devices.json',
    '{\n  "Empty": [],\n  "Devices": [\n    {\n      "entry": 0\n    },\n    {\n      "entry": 1\n    },\n    {\n      "entry": 2\n    }\n  ]\n}\n',
  ],
  [
    'diary.json',
    `{\n  "Diary": [${Array.from({ length: 25 }, (_, entry) => `\n    {\n      "entry": ${entry}\n    }`).join(',')}\n  ]\n}\n`,
  ],
  ['page.html', '<html></html>'],
]);
