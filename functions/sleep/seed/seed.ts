import { putLastWrite } from '../../../lib/runtime/last-write-wins-rows.ts';
import { addDays } from '../rules/dates.ts';
import { contentOf } from '../rules/entry-content.ts';
import { nightOf } from '../rules/night.ts';
import { entryHandle, readEntries } from '../stores/entry-rows.ts';
import type { EntryRow, SleepEntries } from '../tables.ts';

/** The five nights before today: minutes after midnight of going to bed, falling asleep, lying awake and getting up. */
const nights = [
  [-45, 35, 50, 390],
  [-30, 25, 65, 385],
  [-60, 40, 40, 395],
  [-15, 30, 70, 390],
  [-40, 20, 55, 400],
] as const;

/** Writes a diary that is enough for a first sleep window. If the diary has any entry, it stays as it is. */
export async function seedDiary(table: SleepEntries<'get' | 'query' | 'put'>, userId: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const known = await readEntries(table, { userId, from: '1970-01-01', to: '2099-12-31' });
  if (known.length > 0) return;
  for (const [index, [inBed, sleepOnsetMinutes, wakeMinutes, up]] of nights.entries()) {
    const date = addDays(today, index - nights.length);
    const at = (minute: number) => new Date(Date.parse(`${date}T00:00:00Z`) + minute * 60_000).toISOString();
    const content = contentOf({
      // A zone without summer time, so that the seed is the same all year.
      zone: 'Atlantic/Reykjavik',
      inBedAt: at(inBed),
      lightsOffAt: at(inBed),
      sleepOnsetMinutes,
      awakenings: 2,
      wakeMinutes,
      finalWakeAt: at(up - 10),
      outOfBedAt: at(up),
      quality: 3,
    });
    await putLastWrite<EntryRow>(entryHandle(table, userId, date), {
      incoming: { statedAt: at(up), fingerprint: 'seed', isDeleted: false, ifMatch: undefined },
      now: new Date(at(up)),
      rowOf: async () => ({ row: { date, content, night: nightOf(date, content, 3) } }),
    });
  }
}
