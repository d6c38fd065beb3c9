import { expect, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import { deployments } from '../../functions/product.ts';

test('in prod the gateway calls the alias of the released version, which answers as the function does', async () => {
  await using opened = new AsyncDisposableStack();
  const stage = await startStage({ environment: 'prod', rateLimit: false });
  opened.defer(stage.close);
  const { basePath } = deployments.sleepcare;
  const checked = await fetch(`${stage.url}${basePath}/mobile/app-version/check?platform=ios&appVersion=1.2.3`);
  expect([checked.status, await checked.json()]).toEqual([200, expect.objectContaining({ forceBlocked: false })]);

  const token = await (
    await fetch(`${stage.url}/_local/token?user=somebody&roles=patient&application=sleepcare`)
  ).text();
  const revoking = { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } };
  const revoked = await fetch(`${stage.url}${basePath}/users/agreements/unknown/consent`, revoking);
  expect([revoked.status, await revoked.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'AGREEMENT_NOT_FOUND' }),
  ]);
});
