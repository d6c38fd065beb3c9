import { expect, test } from 'vitest';
import { probedCognito } from '../../bin/probe-cognito.ts';
import { cognito } from '../local/identity/cognito.ts';
import { client, pool, poolIds } from '../local/identity/model.ts';

/** The probe's sign-ins at the emulation of Cognito; as it is in dev, and in prod, where nobody gets in without a second factor. */

async function probed(secondFactor: 'OPTIONAL' | 'ON') {
  const clientId = 'crmclient';
  const made = await cognito({ pools: [pool('medinfo', { clients: [client(clientId, 'mobile-app')], secondFactor })] });
  const sleep = async (milliseconds: number) => made.pass(milliseconds);
  return probedCognito(poolIds.medinfo, clientId, { setUp: made.client, measured: made.client, now: made.now, sleep });
}

test.each(['OPTIONAL', 'ON'] as const)('with a second factor that is %s, each case signs in', async (secondFactor) => {
  const { signIn, renew, revokeText, rightCodeAfterWrong, deleteApp } = await probed(secondFactor);
  expect(await signIn('PROBE@EXAMPLE.COM')).toBe(secondFactor === 'ON' ? 'MFA_SETUP' : 'signed in');
  expect(await renew()).toEqual(['rotated', 'renewed again within the grace']);
  expect(await revokeText()).toMatch(/^(InvalidParameter|NotAuthorized|Unauthorized|Unsupported)|^done$/);
  expect(await rightCodeAfterWrong()).toBe('signed in');
  // Again, with the app that is there now.
  expect(await renew()).toEqual(['rotated', 'renewed again within the grace']);
  expect(await rightCodeAfterWrong()).toBe('signed in');
  const next = secondFactor === 'ON' ? 'MFA_SETUP' : 'signed in';
  expect(await deleteApp()).toEqual(['deleted', 'deleted', next]);
  // With another one.
  expect(await rightCodeAfterWrong()).toBe('signed in');
});

test.each(['old', 'new'] as const)(
  'a rotated session whose %s token was revoked is asked for both tokens',
  async (which) => {
    const { renewAfterRevoking } = await probed('OPTIONAL');
    expect(await renewAfterRevoking(which)).toEqual({ old: 'NotAuthorizedException', new: 'NotAuthorizedException' });
  },
);

test.each(['OPTIONAL', 'ON'] as const)('only the case of the code, where it is %s', async (secondFactor) => {
  const { rightCodeAfterWrong } = await probed(secondFactor);
  expect(await rightCodeAfterWrong()).toBe('signed in');
});
