import assert from 'node:assert/strict';
import { createClient as medinfoClient } from './medinfo/client/index.js';
import * as medinfo from './medinfo/index.js';
import { createClient as sleepcareClient } from './sleepcare/client/index.js';
import * as sleepcare from './sleepcare/index.js';

/**
 * What an app does, only with the generated clients. It is compiled and run beside them by typescript.slow.test.ts:
 * `node patient-flow.js <sleepcare> <medinfo> <patient> <physician>`, bases, and `name:password`.
 */
const [, , sleepcareBase = '', medinfoBase = '', patient = '', physician = ''] = process.argv;

const credentials = (person: string) => {
  const [username = '', password = ''] = person.split(':');
  return { grantType: 'password', username, password } as const;
};

/** The answer, or the error that the document has for it. */
function answered<T>({ data, error }: { data?: T; error?: { code: string; message: string } }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

// Signs in, and renews as an app does.
const first = answered(
  await sleepcare.issueTokens({ client: sleepcareClient({ baseUrl: sleepcareBase }), body: credentials(patient) }),
);
const anonymous = sleepcareClient({ baseUrl: sleepcareBase });
const renewed = answered(
  await sleepcare.issueTokens({
    client: anonymous,
    body: { grantType: 'refresh_token', refreshToken: first.refreshToken },
  }),
);
const client = sleepcareClient({ baseUrl: sleepcareBase, auth: renewed.accessToken });
const { userId } = answered(await sleepcare.readProfile({ client }));

// Reads what there is to agree to, agrees, keeps the receipt.
const { items } = answered(await sleepcare.listAgreements({ client, query: { locale: 'de-DE' } }));
const optional = items.find(({ isRequired, isAgreeable }) => isAgreeable && !isRequired);
assert(optional);
const { agreementId, versionId } = optional;
const agreed = answered(
  await sleepcare.agree({ client, path: { versionId }, body: { locale: optional.locale, appVersion: '2.1.0' } }),
);
assert.equal(agreed.agreed, true);
assert.equal(agreed.agreedAt, new Date(agreed.agreedAt).toISOString());
const { receipt, record } = answered(await sleepcare.readReceipt({ client, path: { agreementId } }));
assert.equal(record.action, 'agreed');
const verified = answered(await sleepcare.verifyReceipt({ client: anonymous, body: { receipt } }));
assert.deepEqual([verified.valid, verified.reason, verified.record?.hash], [true, null, record.hash]);

// Revokes, and finds both in the history.
assert.equal(answered(await sleepcare.revokeConsent({ client, path: { agreementId } })).agreed, false);
const history = answered(await sleepcare.listConsentRecords({ client, path: { agreementId }, query: { limit: 2 } }));
assert.deepEqual(
  history.items.map(({ action }) => action),
  ['revoked', 'agreed'],
);
const state = answered(await sleepcare.readOwnConsentState({ client, path: { agreementId } }));
assert.deepEqual([state.agreed, state.endedAt], [false, null]);

// A required one cannot be revoked: an error that the app can act on.
const required = items.find(({ isRequired }) => isRequired);
const refused = await sleepcare.revokeConsent({ client, path: { agreementId: required?.agreementId ?? '' } });
assert.deepEqual([refused.response?.status, refused.error?.code], [400, 'AGREEMENT_REQUIRED']);

const check = answered(
  await sleepcare.checkAppVersion({ client: anonymous, query: { platform: 'ios', appVersion: '1.4.0' } }),
);
assert.deepEqual([check.updateRequired, check.forceBlocked], [true, true]);

// Comes to the clinic of the seeded physician by its code.
const joined = answered(await sleepcare.joinSiteByCode({ client, body: { code: 'TRYTHEAP' } }));
assert.equal(joined.missingAgreementId, 'data-sharing');

// Registers the phone, gets a message of the care team, reads it.
const registered = answered(
  await sleepcare.registerDevice({
    client,
    path: { deviceId: 'generated-client' },
    body: {
      platform: 'android',
      token: 'generated-client-token',
      environment: 'production',
      appVersion: '2.1.0',
      locale: 'de-DE',
    },
  }),
);
assert.equal(registered.deviceId, 'generated-client');
const devices = answered(await sleepcare.listDevices({ client }));
assert(devices.items.some(({ deviceId }) => deviceId === registered.deviceId));

const staff = answered(
  await medinfo.issueTokens({ client: medinfoClient({ baseUrl: medinfoBase }), body: credentials(physician) }),
);
const posted = answered(
  await medinfo.postMessage({
    client: medinfoClient({ baseUrl: medinfoBase, auth: staff.accessToken }),
    path: { userId },
    body: { title: 'Your report', body: 'It is ready.' },
  }),
);
const board = answered(await sleepcare.listMessages({ client }));
assert.equal(board.items[0]?.messageId, posted.messageId);
const read = answered(await sleepcare.markMessageRead({ client, path: { messageId: posted.messageId } }));
assert.equal(read.unreadCount, board.metadata.unreadCount - 1);
assert.equal(
  answered(await sleepcare.unregisterDevice({ client, path: { deviceId: registered.deviceId } })).registered,
  false,
);

// Signs out: a token that is no more is a 401 of the document.
answered(await sleepcare.revokeToken({ client: anonymous, body: { refreshToken: renewed.refreshToken } }));
const stranger = await sleepcare.readProfile({ client: sleepcareClient({ baseUrl: sleepcareBase, auth: 'none' }) });
assert.deepEqual([stranger.response?.status, stranger.error?.code], [401, 'UNAUTHENTICATED']);
console.log('the patient flow is through');
