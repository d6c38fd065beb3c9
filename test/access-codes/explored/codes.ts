import assert from 'node:assert/strict';
import type { Call, End, Row, SetUp } from '../../../lib/explore/scenario.ts';
import { admin } from '../../explorer/people.ts';

/** What the scenarios of access codes have in common. */

export type Batch = { batchId: string; codes: { accessCodeId: string; code: string }[] };

/** Issues a batch by the real route. */
export async function issue({ call }: SetUp, wish: object = {}): Promise<Batch> {
  const asked = { count: 2, kind: 'clinic', programmeId: 'insomnia-basic', grantsDays: 90 };
  const body = { ...asked, redeemBy: '2098-12-31T23:59:59Z', ...wish };
  const { status, body: made } = await call(admin, 'issueAccessCodes', { body });
  assert.equal(status, 201);
  return made as unknown as Batch;
}

export function codeIn({ answer }: Call): string {
  return String((answer.body as { code?: unknown }).code ?? '');
}

/** The request to redeem a code of a batch. */
export function redeemed(issued: { code: string } | undefined) {
  return { body: { code: issued?.code ?? '' } };
}

function asked({ request }: Call): string {
  return String((request.body as { code: string }).code);
}

/** What each redemption that was answered as done has written, and that no user has what was not asked for. */
export function eachAnswerIsWritten(end: End, { codes }: Batch, ofClient: (client: string) => string): void {
  const entitlements = end.rows('Entitlements');
  for (const call of end.calls.filter(({ operation }) => operation === 'redeemAccessCode')) {
    if (call.answer.status !== 200) continue;
    const id = codes.find(({ code }) => code === asked(call))?.accessCodeId;
    const own = entitlements.filter((row) => row.userId === ofClient(call.client) && row.accessCodeId === id);
    assert.equal(own.length, 1, 'one entitlement of this user by this code');
    const { entitlementId, startsAt, programmeId } = own[0] as Row;
    const said = call.answer.body;
    assert.deepEqual(
      { entitlementId: said.entitlementId, startsAt: said.startsAt, programmeId: said.programmeId },
      { entitlementId, startsAt, programmeId },
    );
  }
}

/** Codes, groups, entitlements and the rows that lead to these agree. */
export function rowsAgree({ rows }: End): void {
  const codes = rows('AccessCodes');
  const entitlements = rows('Entitlements');
  const starts = rows('EntitlementStarts').map(({ start, entitlementId }) => `${start} ${entitlementId}`);
  for (const code of codes) {
    assert.ok(!(code.redeemedAt && code.revokedAt), 'a code is redeemed or revoked');
    const unlocked = entitlements.filter(({ accessCodeId }) => accessCodeId === code.accessCodeId);
    assert.equal(unlocked.length, code.redeemedAt ? 1 : 0);
    assert.equal(unlocked[0]?.entitlementId, code.entitlementId);
  }
  for (const group of rows('AccessCodeBatches').filter(({ batchId }) => batchId !== '~batches')) {
    const own = codes.filter(({ batchId, part }) => batchId === group.batchId && part === group.part);
    assert.equal(group.codes, own.length);
    assert.equal(group.redeemed, own.filter(({ redeemedAt }) => redeemedAt).length);
    assert.equal(group.revoked, own.filter(({ revokedAt }) => revokedAt).length);
  }
  for (const { entitlementId, batchId, part, programmeId, startsAt } of entitlements) {
    assert.ok(starts.includes(`group#${batchId}#${part} ${entitlementId}`), 'staff find who holds it');
    const started = starts.filter((each) => each.startsWith(`${programmeId}#${startsAt.slice(0, 10)}#`));
    assert.ok(
      started.some((each) => each.endsWith(` ${entitlementId}`)),
      'it is found by its start',
    );
  }
  assert.equal(starts.length, 2 * entitlements.length);
}
