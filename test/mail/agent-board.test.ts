import { expect, test } from 'vitest';
import { newAccount, signInOn } from '../accounts/people.ts';
import { baseUrl, call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { signInMails } from '../mails.ts';

test('a patient with a phone gets a message on the agent board about a new sign-in, and the push does not say what it is about', async () => {
  const email = await newAccount();
  const { accessToken: token } = await signInOn('Phone', email);
  await signInMails(1, email);
  const board = async () => (await call('GET', '/agent-board/messages', { token })).body.items;
  // Nobody had a phone when this one signed in, although it registers at once.
  const phone = { platform: 'ios', token: 'ab'.repeat(32), environment: 'sandbox', appVersion: '2.4.1', locale: 'de' };
  expect((await call('PUT', '/users/me/devices/phone', { token, body: phone })).status).toBe(200);
  expect(await board()).toEqual([]);

  const thief = await signInOn('Unknown', email);
  const items = await eventually(async () => {
    const found = await board();
    if (found.length === 0) throw new Error('no message yet');
    return found;
  });
  expect(items).toMatchObject([{ title: 'Neue Anmeldung in Ihrem Konto', body: expect.stringContaining('Mail') }]);
  const { userId } = (await call('GET', '/users/me', { token: thief.accessToken })).body;
  const pushes = await eventually(async () => {
    const answer = await fetch(new URL(`/_local/pushes?userId=${userId}`, baseUrl()));
    const said = await answer.text();
    if (!said.includes('agent_board')) throw new Error('no push yet');
    return said;
  });
  expect(pushes).not.toMatch(/Anmeldung|Unknown/);
});
