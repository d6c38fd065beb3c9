import { expect } from 'vitest';
import { errorOf } from '../declared.ts';
import type { FaultCase } from './case.ts';
import { ledgerOf } from './ledger.ts';
import { type Opened, routes } from './routes.ts';
import { type Answer, repeated, type Stage } from './stage.ts';

/** One case: the fault is met, the answer is the expected one, and afterwards all is as if it had never been. */
export async function survive(stage: Stage, { plan, route, code }: FaultCase): Promise<void> {
  const open: Opened = await routes[route](stage);
  const fault = stage.fail(plan, open.mark);
  const met = await open.send().finally(() => stage.lift(fault));
  expect(fault.met, 'the fault was met').toBeGreaterThan(0);
  expectAnswer(met, code, open.status);

  // The app asks again, as Retry-After tells it to.
  const again = await (stage.isPatient ? open.send() : repeated(open.send));
  expectAnswer(again, null, open.status);
  await expectLedger(stage, open, [met, again]);
  await open.leaves?.();
}

export function expectAnswer({ status, headers, body }: Answer, code: FaultCase['code'], success = 200): void {
  if (code === null) {
    expect([status, body.code]).toEqual([success, undefined]);
    return;
  }
  const { status: declared, message, retryAfter } = errorOf(code);
  expect([status, body]).toEqual([declared, { code, message, detail: null }]);
  expect(headers.get('retry-after')).toBe(retryAfter === undefined ? null : String(retryAfter));
}

/** None lost: what was answered is there, at the time that was answered. None doubled: there is nothing else. */
export async function expectLedger(
  stage: Stage,
  { person, records: expected }: Opened,
  answers: Answer[],
): Promise<void> {
  if (expected === undefined) return;
  const { findings, records } = await ledgerOf(stage, person.userId);
  expect(findings).toEqual([]);
  expect(records).toHaveLength(expected);
  const answered = answers.flatMap(({ body }) => body.agreedAt ?? body.revokedAt ?? []);
  for (const at of answered) expect(at).toBe(records.at(-1)?.recordedAt);
}
