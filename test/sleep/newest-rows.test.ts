import { expect, test } from 'vitest';
import { readNewestEntries } from '../../functions/sleep/stores/newest-rows.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

const { SleepEntries } = (await localTables(['SleepEntries'])).tables;

test('the pages of a diary have each entry once, newest first; what was deleted makes a page shorter', async () => {
  const dates = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-07'];
  for (const date of dates) {
    const there =
      date === '2026-03-04' ? { isDeleted: true } : { isDeleted: false, content: { zone: 'UTC' }, night: {} };
    await putRow(SleepEntries, { userId: 'one', date, ...there });
  }
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page = await readNewestEntries(SleepEntries, 'one', { limit: 2, after });
    pages.push(page.dates);
    after = page.next;
  } while (after !== null && pages.length < 9);
  expect(pages).toEqual([['2026-03-07', '2026-03-05'], ['2026-03-02'], ['2026-03-01']]);
});
