import { expect, test } from 'vitest';
import { putWindow, putWithdrawal, type WindowRow } from '../../functions/sleep/stores/window-rows.ts';
import { readLastWindow } from '../../functions/window-runs/exports.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

const { tables } = await localTables(['SleepWindows', 'SleepWindowRuns']);
const row = (sequence: number, more: object = {}) =>
  ({ sequence, from: '2026-03-02', startedOn: '2026-03-02', isWithdrawn: false, ...more }) as WindowRow;
const last = () => readLastWindow<WindowRow>(tables.SleepWindows, 'u');

test.each(['9999', '~'])(
  'a withdrawal counts, and so does the next release, after a row with the number %s',
  async (number) => {
    await putWindow(tables, 'u', row(1), await last());
    await putRow(tables.SleepWindows, { ...row(1), userId: 'u', number });
    expect(await putWithdrawal(tables, 'u', row(2, { isWithdrawn: true }), await last())).toBe(true);
    expect(await last()).toMatchObject({ isWithdrawn: true });
    expect(await putWindow(tables, 'u', row(3), await last())).toBe(true);
    expect(await last()).toMatchObject({ isWithdrawn: false, sequence: 3 });
  },
);
