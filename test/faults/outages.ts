import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Accounts, accountRoutes, openAccounts } from './accounts.ts';
import type { Kind } from './case.ts';
import type { Stage } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** Each request that changes an account meets an outage of each service that it needs: 503, and the same request succeeds after it. */
export function meetOutages(kind: Kind): void {
  let stage: Stage;
  let accounts: Accounts;
  beforeAll(async () => {
    accounts = await openAccounts(kind === 'hang' ? { patience: 1 } : {});
    stage = accounts.stage;
  });
  afterAll(() => stage.close());

  describe.each(Object.entries(accountRoutes))('%s', (_, { on, prepare }) => {
    test.each(on)('%s', async (dependency) => {
      const { send, status = 200 } = await prepare(accounts);
      await stage.stage.idle();
      const fault = stage.fail({ dependency, kind, times: Number.POSITIVE_INFINITY }, '');
      const met = await send().finally(() => stage.lift(fault));
      expect(fault.met).toBeGreaterThan(0);
      expectAnswer(met, 'UNAVAILABLE');
      expectAnswer(await send(), null, status);
    });
  });

  test('nothing was given up on the way', () => {
    expect(stage.stage.queues.named('MailQueueDeadLetters').messages()).toEqual([]);
  });
}
