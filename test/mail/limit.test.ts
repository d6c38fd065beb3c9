import { expect, test } from 'vitest';
import { counted, mostInAnHour, type Sent } from '../../functions/mail/rules/limit.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 7, minute));

function after(minutes: readonly number[]): Sent | null {
  return minutes.reduce<Sent | null>((before, minute, index) => {
    const row = counted({ mailRecord: 'sent#a', mailId: `m${index}`, now: at(minute) }, before);
    if (typeof row === 'string') throw new Error(row);
    return row;
  }, null);
}

test.each([
  ['the first', [], 0, true],
  ['the fifth', [0, 1, 2, 3], 4, true],
  ['the sixth within the hour', [0, 1, 2, 3, 4], 59, false],
  ['the sixth, an hour after the first', [0, 1, 2, 3, 4], 60, true],
  ['the seventh, when only the first has left the hour', [0, 1, 2, 3, 4, 60], 60, false],
] as const)('%s', (_, before, minute, isSent) => {
  const row = counted({ mailRecord: 'sent#a', mailId: 'next', now: at(minute) }, after(before));
  expect(row === 'full').toBe(!isSent);
  if (typeof row === 'object') expect(row.mails.length).toBeLessThanOrEqual(mostInAnHour);
});

test('the same mail is counted once', () => {
  expect(counted({ mailRecord: 'sent#a', mailId: 'm0', now: at(1) }, after([0]))).toBe('counted');
});
