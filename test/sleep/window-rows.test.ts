import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putWindow, putWithdrawal, type WindowRow } from '../../functions/sleep/stores/window-rows.ts';
import { readLastWindow } from '../../functions/window-runs/exports.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

const { tables } = await localTables(['SleepWindows', 'SleepWindowRuns']);
const row = (sequence: number, more: object = {}) =>
  ({
    sequence,
    startedOn: '2026-03-02',
    releasedAt: '2026-03-02T12:00:00.000Z',
    isWithdrawn: false,
    ...more,
  }) as WindowRow;

test.each(['9999', '~', '~'.repeat(64)])(
  'a withdrawal counts, and so does the next release, after a row with the number %s',
  async (number) => {
    const userId = randomUUID();
    const read = () => readLastWindow<WindowRow>(tables.SleepWindows, userId);
    const last = async () => (await read()).window;
    const behind = async () => (await read()).behind;
    await putWindow(tables, userId, row(1), await behind());
    await putRow(tables.SleepWindows, { ...row(1), userId, number });
    expect(await putWithdrawal(tables, userId, row(2, { isWithdrawn: true }), await behind())).toBe(true);
    expect(await last()).toMatchObject({ isWithdrawn: true });
    expect(await putWindow(tables, userId, row(3), await behind())).toBe(true);
    expect(await last()).toMatchObject({ isWithdrawn: false, sequence: 3 });
  },
);

test.each([
  ['a sequence on which nobody can count', { sequence: Number.MAX_SAFE_INTEGER }],
  ['no time', { releasedAt: 7 }],
  ['no first evening', { startedOn: '' }],
  ['so much beside it that nothing more fits', { filling: 'x'.repeat(100_000) }],
  ['a set beside it that leaves no room', { filling: new Set(['x'.repeat(100_000)]) }],
  ['a number behind which none fits', { number: '~'.repeat(65) }],
])('a row with %s is no window, and the next one follows behind it', async (_what, planted) => {
  const [userId, number] = [randomUUID(), '0002'];
  const read = () => readLastWindow<WindowRow>(tables.SleepWindows, userId);
  await putWindow(tables, userId, row(1), null);
  await putRow(tables.SleepWindows, { ...row(2), userId, number, ...planted });
  expect((await read()).window).toMatchObject({ sequence: 1 });
  expect(await putWithdrawal(tables, userId, row(2, { isWithdrawn: true }), (await read()).behind)).toBe(true);
  expect((await read()).window).toMatchObject({ isWithdrawn: true });
});

test('a window whose number is the greatest that counts can be withdrawn', async () => {
  const userId = randomUUID();
  const read = () => readLastWindow<WindowRow>(tables.SleepWindows, userId);
  await putWindow(tables, userId, row(1e6), null);
  expect(await putWithdrawal(tables, userId, row(1e6 + 1, { isWithdrawn: true }), (await read()).behind)).toBe(true);
  expect((await read()).window).toMatchObject({ isWithdrawn: true });
});

test.each(['0001', '0002'])('the first release follows behind a row %s that is no window', async (number) => {
  const userId = randomUUID();
  const read = () => readLastWindow<WindowRow>(tables.SleepWindows, userId);
  await putRow(tables.SleepWindows, { userId, number } as never);
  const { window, behind } = await read();
  expect(window).toBe(null);
  expect(await putWindow(tables, userId, row(1), behind)).toBe(true);
  expect((await read()).window).toMatchObject({ sequence: 1 });
});

test('a window is found behind many megabytes of rows that are none, and can be withdrawn', async () => {
  const userId = randomUUID();
  await putWindow(tables, userId, row(1), null);
  const fill = 'x'.repeat(390_000);
  for (let number = 10; number < 20; number += 1)
    await putRow(tables.SleepWindows, { userId, number: `01${number}`, fill } as never);
  const { window, behind } = await readLastWindow<WindowRow>(tables.SleepWindows, userId);
  expect(window).toMatchObject({ sequence: 1 });
  expect(await putWithdrawal(tables, userId, row(2, { isWithdrawn: true }), behind)).toBe(true);
});

test('of two decisions over a row behind which none fits, one counts', async () => {
  const userId = randomUUID();
  await putRow(tables.SleepWindows, { ...row(1), userId, number: '~'.repeat(64) });
  const { behind } = await readLastWindow<WindowRow>(tables.SleepWindows, userId);
  const withdrawn = row(2, { isWithdrawn: true, releasedAt: '2026-03-03T12:00:00.000Z' });
  expect(await putWithdrawal(tables, userId, withdrawn, behind)).toBe(true);
  expect(await putWindow(tables, userId, row(2), behind)).toBe(false);
});
