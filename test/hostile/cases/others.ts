import { type Case, request } from '../case.ts';
import type { World } from '../world.ts';

/** Ids of other users, or of no one: what is another's is as if it were not there. */

type Row = [name: string, bytes: (world: World) => Buffer, status: number, code: Case['code']];

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const message = { title: 'Title', body: 'Text' };
const codes = {
  count: 1,
  kind: 'clinic',
  programmeId: 'insomnia-basic',
  grantsDays: 90,
  redeemBy: '2098-12-31T23:59:59Z',
};

const rows: Row[] = [
  [
    "another's message is read",
    ({ patient, messageOfOther }) =>
      request(`POST /de/v1/agent-board/messages/${messageOfOther}/read`, { token: patient }),
    404,
    'MESSAGE_NOT_FOUND',
  ],
  [
    "another's message is read, with the owner named in the body",
    ({ patient, messageOfOther, otherUser }) =>
      request(`POST /de/v1/agent-board/messages/${messageOfOther}/read`, {
        token: patient,
        ...json({ userId: otherUser }),
      }),
    404,
    'MESSAGE_NOT_FOUND',
  ],
  [
    "another's message is looked at",
    ({ patient, messageOfOther }) => request(`GET /de/v1/agent-board/messages/${messageOfOther}`, { token: patient }),
    404,
    'MESSAGE_NOT_FOUND',
  ],
  [
    "all up to another's message are read",
    ({ patient, messageOfOther }) =>
      request('POST /de/v1/agent-board/messages/read', { token: patient, ...json({ upTo: messageOfOther }) }),
    404,
    'MESSAGE_NOT_FOUND',
  ],
  [
    'a patient posts to a board, in their own application',
    ({ patient, boardOfOther }) => request(`POST /de/v1${boardOfOther}`, { token: patient, ...json(message) }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'a patient posts to a board, in the other application',
    ({ patient, boardOfOther }) => request(`POST /v2${boardOfOther}`, { token: patient, ...json(message) }),
    401,
    'UNAUTHENTICATED',
  ],
  [
    "a patient looks at another's sign-ins, in their own application",
    ({ patient, otherUser }) => request(`GET /de/v1/users/${otherUser}/sign-ins`, { token: patient }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    "an agent looks at a user's sign-ins",
    ({ agent, otherUser }) => request(`GET /v2/users/${otherUser}/sign-ins`, { token: agent }),
    403,
    'FORBIDDEN',
  ],
  [
    'sign-ins of the row of an address',
    ({ admin }) => request('GET /v2/users/email%23a@example.com/sign-ins', { token: admin }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'a page of sign-ins after an id instead of a cursor',
    ({ patient }) =>
      request('GET /de/v1/users/me/sign-ins?cursor=20260301T120000.001Z.9c6cd606bbf6948c', { token: patient }),
    400,
    'INVALID_CURSOR',
  ],
  [
    'a message for nobody',
    ({ agent }) => request('POST /v2/users/nobody-has-this/agent-board/messages', { token: agent, ...json(message) }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'a message for the row of an address',
    ({ agent }) =>
      request('POST /v2/users/email%23a@example.com/agent-board/messages', { token: agent, ...json(message) }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'a message whose text is half a surrogate pair',
    ({ agent, boardOfOther }) =>
      request(`POST /v2${boardOfOther}`, { token: agent, ...json({ ...message, title: '\udc00' }) }),
    400,
    'VALIDATION_FAILED',
  ],
  ...['\\u0000', '\\u001b[2J', '\\n', '\\u007f', '\\u0085', '\\u009b31m'].map(
    (control): Row => [
      `a message whose title has the control character ${control.replace('\\', '')}`,
      ({ agent, boardOfOther }) =>
        request(`POST /v2${boardOfOther}`, { token: agent, body: `{"title":"a${control}b","body":"x"}` }),
      400,
      'VALIDATION_FAILED',
    ],
  ),
  [
    'a message whose text has a NUL',
    ({ agent, boardOfOther }) =>
      request(`POST /v2${boardOfOther}`, { token: agent, ...json({ ...message, body: 'a\0b' }) }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a control character in a consent record',
    ({ patient }) =>
      request('POST /de/v1/agreements/versions/marketing-1.0/agree', {
        token: patient,
        ...json({ appVersion: '1.0\u001b[31m' }),
      }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'an agent issues access codes',
    ({ agent }) => request('POST /v2/access-codes/batches', { token: agent, ...json(codes) }),
    403,
    'FORBIDDEN',
  ],
  [
    'a patient issues access codes, in their own application',
    ({ patient }) => request('POST /de/v1/access-codes/batches', { token: patient, ...json(codes) }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'a patient looks an access code up as staff do',
    ({ patient }) => request('POST /de/v1/access-codes/lookup', { token: patient, ...json({ code: 'XSAD' }) }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'more access codes than there may be, by an exponent',
    ({ admin }) =>
      request('POST /v2/access-codes/batches', {
        token: admin,
        body: JSON.stringify(codes).replace('"count":1', '"count":1e308'),
      }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'an access code that is a list',
    ({ patient }) =>
      request('POST /de/v1/access-codes/redeem', { token: patient, ...json({ code: ['XSADEVELOPERAAAQ'] }) }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'an access code of a megabyte of blanks',
    ({ patient }) =>
      request('POST /de/v1/access-codes/redeem', { token: patient, ...json({ code: ' '.repeat(1_000_000) }) }),
    400,
    'VALIDATION_FAILED',
  ],
  ...['\\u0000XSADEVELOPERAAAQ', 'XSADEVELOPERAAA\\ud800', 'XSADEVELOPERAAA\\u202eQ', '$ne', "' OR 1=1 --"].map(
    (code): Row => [
      `an access code ${JSON.stringify(code)}, for somebody else`,
      ({ patient, otherUser }) =>
        request('POST /de/v1/access-codes/redeem', {
          token: patient,
          body: `{"code":"${code}","userId":"${otherUser}","isAdmin":true}`,
        }),
      400,
      'ACCESS_CODE_MISTYPED',
    ],
  ),
  [
    "another's entitlements by path",
    ({ patient, otherUser }) => request(`GET /de/v1/users/${otherUser}/entitlements`, { token: patient }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    "another's profile by path",
    ({ patient, otherUser }) => request(`GET /de/v1/users/${otherUser}`, { token: patient }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    "another's devices by path",
    ({ patient, otherUser }) => request(`GET /de/v1/users/${otherUser}/devices`, { token: patient }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    "an agreement of the other application's catalogue",
    ({ patient }) => request('DELETE /de/v1/users/agreements/no-such-agreement/consent', { token: patient }),
    404,
    'AGREEMENT_NOT_FOUND',
  ],
  [
    'a version of no agreement',
    ({ patient }) => request('POST /de/v1/agreements/versions/marketing-99.9/agree', { token: patient }),
    404,
    'AGREEMENT_VERSION_NOT_FOUND',
  ],
  [
    'a required agreement is revoked',
    ({ patient }) => request('DELETE /de/v1/users/agreements/terms-of-service/consent', { token: patient }),
    400,
    'AGREEMENT_REQUIRED',
  ],
  [
    'a refresh token of nobody is revoked: the same success as of somebody',
    () => request('POST /de/v1/auth/tokens/revoke', json({ refreshToken: 'made-up' })),
    200,
    null,
  ],
  [
    'an access token in place of a refresh token',
    ({ patient }) => request('POST /de/v1/auth/tokens', json({ grantType: 'refresh_token', refreshToken: patient })),
    401,
    'INVALID_GRANT',
  ],
  [
    'a name of nobody',
    () => request('POST /de/v1/auth/tokens', json({ grantType: 'password', username: 'nobody', password: 'x' })),
    401,
    'INVALID_CREDENTIALS',
  ],
  [
    'a wrong password',
    () =>
      request(
        'POST /de/v1/auth/tokens',
        json({ grantType: 'password', username: 'patient@example.com', password: "' OR '1'='1" }),
      ),
    401,
    'INVALID_CREDENTIALS',
  ],
  [
    'a name with a filter of Cognito’s',
    () => request('POST /de/v1/auth/tokens', json({ grantType: 'password', username: 'a" or "b', password: 'x' })),
    400,
    'VALIDATION_FAILED',
  ],
  ...['P999999999W', '-P999999999W'].map(
    (advance): Row => [
      `the clock moves by ${advance}, more than a number holds`,
      ({ developer }) => request('PUT /de/v1/time-machine', { token: developer, ...json({ advance }) }),
      400,
      'VALIDATION_FAILED',
    ],
  ),
  [
    "half a surrogate pair in a consent record, whose hash would be another's",
    ({ patient }) =>
      request('POST /de/v1/agreements/versions/marketing-1.0/agree', {
        token: patient,
        ...json({ appVersion: '1.0\udfff' }),
      }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a grant that nobody offers',
    () => request('POST /de/v1/auth/tokens', json({ grantType: 'client_credentials' })),
    400,
    'VALIDATION_FAILED',
  ],
];

export const others: readonly Case[] = [
  ...rows.map(([name, bytes, status, code]): Case => ({ name: `another's: ${name}`, bytes, status, code })),
  {
    name: "another's: what is sent of it in a body is not believed",
    bytes: ({ patient, otherUser }) =>
      request('PUT /de/v1/users/me/devices/own-phone', {
        token: patient,
        ...json({
          ...{ platform: 'android', token: 'c'.repeat(64), environment: 'production', appVersion: '1', locale: 'en' },
          ...{ userId: otherUser, deviceId: 'others-phone', status: 'disabled', roles: ['admin'] },
        }),
      }),
    status: 200,
    code: null,
  },
];
