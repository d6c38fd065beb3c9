import { afterAll, describe, expect, test } from 'vitest';
import { isQuick, matrix, ownFaults, sharedFaults } from './matrix.ts';
import { routes } from './routes.ts';
import { openStage } from './stage.ts';
import { expectAnswer, expectLedger, survive } from './survive.ts';

/** What is soon over of the matrix, on one stage; the slow tests beside this file have the rest. */

const stage = await openStage({ ofRoutes: true });
afterAll(() => stage.close());

// Each user has their own fault, and meets nobody else's.
describe.concurrent('one user meets it', () => {
  test.each(ownFaults.filter(isQuick))('$code: $name', (each) => survive(stage, each));
});

describe('everybody meets it', () => {
  test.each(sharedFaults.filter(isQuick))('$code: $name', (each) => survive(stage, each));
});

test('while KMS, S3 and EventBridge are down consents go on, and the keys of receipts are there', async () => {
  const keys = () => stage.call('sleepcare', '', 'GET', '/.well-known/jwks.json');
  // A key is published with the first receipt that it signs.
  expectAnswer(await (await routes['read-receipt'](stage)).send(), null);
  const { body: published } = await keys();
  expect(published).toMatchObject({ keys: [{ use: 'sig' }, { use: 'sig' }] });
  const down = (['KMS', 'S3', 'EventBridge'] as const).map((dependency) =>
    stage.fail({ dependency, kind: 'error', times: Number.POSITIVE_INFINITY }, ''),
  );
  for (const route of ['agree', 'revoke-consent', 'list-agreements', 'list-consent-records'] as const) {
    const open = await routes[route](stage);
    const answer = await open.send();
    expectAnswer(answer, null);
    await expectLedger(stage, open, [answer]);
  }
  expect((await keys()).body).toEqual(published);
  expectAnswer(await (await routes['read-receipt'](stage)).send(), 'UNAVAILABLE');
  expect(down[0]?.met).toBeGreaterThan(0);
  for (const fault of down) stage.lift(fault);
});

test('each case has its own name', () => {
  expect(new Set(matrix.map(({ name }) => name)).size).toBe(matrix.length);
});
