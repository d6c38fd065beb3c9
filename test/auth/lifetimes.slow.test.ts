import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { agedSessions } from './aged-sessions.ts';
import { openStage } from './stage.ts';

/** Sessions end by themselves: some time after the sign-in, and some time after the last renewal. */

const own = await openStage();
const sessions = agedSessions(own.stage);
afterEach(() => own.reset());
afterAll(async () => {
  sessions.close();
  await own.stage.close();
});

const minute = 60_000;
const day = 24 * 60 * minute;
/** What the test itself may take. */
const margin = minute;

const cases = [
  ['sleepcare', 'patient', { longest: 30 * day, idle: 14 * day }],
  ['medinfo', 'physician', { longest: 12 * 60 * minute, idle: 60 * minute }],
] as const;

describe.each(cases)('%s', (application, role, { longest, idle }) => {
  const signedIn = async () => {
    const grant = { grantType: 'password', username: `${role}@example.com`, password: `${role}-${role}` };
    const { status, body } = await own.issue(grant, application);
    expect(status).toBe(200);
    return body as { accessToken: string; refreshToken: string };
  };
  const renewal = (refreshToken: string) => own.issue({ grantType: 'refresh_token', refreshToken }, application);
  const expired = { status: 401, body: { code: 'INVALID_GRANT', detail: { reason: 'expired' } } };
  const listed = async (bearer: string) => {
    const { body } = await own.send('GET', '/auth/sessions', { bearer, application });
    return body.items.map(({ sessionId }: { sessionId: string }) => sessionId);
  };

  test('a session that is not renewed for so long is over, and leaves the list', async () => {
    const { refreshToken } = await signedIn();
    await sessions.age(refreshToken, idle - margin);
    const next = await renewal(refreshToken);
    expect(next.status).toBe(200);
    await sessions.age(refreshToken, idle, ['renewedAt']);
    const { accessToken } = await signedIn();
    const [, , sessionId] = refreshToken.split('.');
    expect(await listed(accessToken)).not.toContain(sessionId);
    expect(await renewal(next.body.refreshToken)).toMatchObject(expired);
    // Again, and also with the token before it: the reason stays, and no reuse is seen.
    expect(await renewal(next.body.refreshToken)).toMatchObject(expired);
    expect(await renewal(refreshToken)).toMatchObject(expired);
    expect(await sessions.rowOf(refreshToken)).toMatchObject({ endedBy: 'expired' });
  });

  test('a session is over at its longest time, however often it is renewed', async () => {
    const { refreshToken } = await signedIn();
    await sessions.age(refreshToken, longest - margin, ['createdAt']);
    const next = await renewal(refreshToken);
    expect(next.status).toBe(200);
    await sessions.age(refreshToken, margin, ['createdAt']);
    expect(await renewal(next.body.refreshToken)).toMatchObject(expired);
  });

  test('Cognito’s own token ends at the same time, whatever the row says', async () => {
    const { refreshToken } = await signedIn();
    own.state.now += longest - margin;
    expect((await renewal(refreshToken)).status).toBe(200);
    own.state.now += 2 * margin;
    expect(await renewal(refreshToken)).toMatchObject({ status: 401, body: { detail: { reason: 'ended' } } });
  });
});
