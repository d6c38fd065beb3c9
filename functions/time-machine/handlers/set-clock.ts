import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { durationMs } from '../../../lib/contract/duration.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { setClock } from '../routes.ts';
import { clockAt, isWithinReach, longestMove, offsetsWithinReach, reach } from '../rules/clock.ts';
import { moveOffset, writeOffset } from '../stores/clock-offset.ts';

const message = `must lead to a time between ${reach.from} and ${reach.to}`;

export const handler = serve(setClock)(async ({ body, tables, fail }) => {
  // What the clock is set against is the real time, and not `now`.
  const realNow = Date.now();
  const outOfReach = (path: string, isBefore: boolean) => {
    const code = isBefore ? 'too_small' : 'too_big';
    return fail(ValidationFailed, { issues: [{ in: 'body', path, code, message }] });
  };
  if (body.now !== undefined) {
    const offset = Date.parse(body.now) - realNow;
    if (!isWithinReach(offset, realNow)) return outOfReach('now', body.now < reach.from);
    await writeOffset(tables.Clock, offset);
    return clockAt(offset, realNow);
  }
  const by = durationMs(body.advance ?? '');
  // It may also be more milliseconds than DynamoDB's client takes for a number.
  if (Math.abs(by) > longestMove) return outOfReach('advance', by < 0);
  const moved = await moveOffset(tables.Clock, by, offsetsWithinReach(realNow));
  return moved === null ? outOfReach('advance', by < 0) : clockAt(moved, realNow);
});
