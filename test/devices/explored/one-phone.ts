import assert from 'node:assert/strict';
import { hashOfToken } from '../../../functions/devices/rules/device.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { End, Request, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';

/** A phone that two users register, renew and give up. */

export const phone = (token: string, deviceId = 'phone'): Request => ({
  params: { deviceId },
  body: { platform: 'android', token, environment: 'production', appVersion: '2.0.0', locale: 'de-DE' },
});

const hashOf = (token: string) => hashOfToken({ platform: 'android', token });

function ownersIn({ rows }: End): Row[] {
  return rows('DeviceTokens').filter(({ tokenKey }) => !tokenKey.startsWith('newest#'));
}

export const deviceInvariants: Scenario['invariants'] = {
  'each token and each endpoint is of exactly one device, and both sides say so': (end) => {
    const said = ownersIn(end).map(({ tokenKey, userId, deviceId }) => `${tokenKey} ${userId} ${deviceId}`);
    const had = end.rows('Devices').flatMap(({ userId, deviceId, tokenHash, endpointArn }) => {
      const keys = [`token#${tokenHash}`, ...(endpointArn === null ? [] : [`endpoint#${endpointArn}`])];
      return keys.map((key) => `${key} ${userId} ${deviceId}`);
    });
    assert.deepEqual(said.toSorted(), had.toSorted());
  },
  "a device's endpoint has its token": ({ rows, outside }) => {
    for (const { endpointArn, tokenHash } of rows('Devices')) {
      const endpoint = outside.endpoints[endpointArn];
      if (endpoint) assert.equal(hashOf(endpoint.token), tokenHash);
    }
  },
  'the list is what is registered': async ({ rows, call }) => {
    for (const person of [patient, otherPatient]) {
      const { body } = await call(person, 'listDevices');
      const listed = (body.items as unknown as Row[]).map(({ deviceId, tokenHash, status }) => [
        deviceId,
        tokenHash,
        status,
      ]);
      const own = rows('Devices').filter(({ userId }) => userId === person.userId);
      assert.deepEqual(
        listed,
        own.map(({ deviceId, tokenHash, status }) => [deviceId, tokenHash.slice(0, 12), status]),
      );
    }
  },
  'the answer to a registration has the token of the request': ({ calls }) => {
    for (const { operation, request, answer } of calls) {
      if (operation !== 'registerDevice' || answer.status !== 200) continue;
      const { token } = request.body as { token: string };
      assert.equal(answer.body.status, 'active');
      assert.equal(answer.body.tokenHash, hashOf(token).slice(0, 12));
      assert.deepEqual(answer.body.replacedDeviceIds, []);
    }
  },
};

const tokenOf = ({ body }: Request) => (body as { token?: string } | undefined)?.token;

/** Whether a call that may delete the token's endpoint was under way while it was registered. */
function isGivenUpBeside({ calls }: End, tokenHash: string): boolean {
  const registrations = calls.filter(({ request }) => hashOf(tokenOf(request) ?? '') === tokenHash);
  return calls.some((other) => {
    const releases = other.operation === 'unregisterDevice' || hashOf(tokenOf(other.request) ?? '') !== tokenHash;
    return releases && registrations.some((each) => each.begun < other.ended && other.begun < each.ended);
  });
}

/**
 * SNS and the tables have no common transaction: who gives a token up at the same moment may delete the endpoint of who takes it
 * over. The app registers at each start, which makes the endpoint again.
 */
const reachable: Scenario['invariants'] = {
  'an active device has an endpoint that works, or gets it with the next start': async (end) => {
    const works = (endpointArn: string) => end.outside.endpoints[endpointArn]?.enabled === true;
    for (const { userId, deviceId, endpointArn, tokenHash, status } of end.rows('Devices')) {
      if (status !== 'active' || works(endpointArn)) continue;
      assert.ok(isGivenUpBeside(end, tokenHash), `${userId} has no endpoint`);
      const person = [patient, otherPatient].find((each) => each.userId === userId) ?? patient;
      const token = ['first', 'second'].find((each) => hashOf(each) === tokenHash) ?? '';
      const { body } = await end.call(person, 'registerDevice', phone(token));
      assert.equal(body.deviceId, deviceId);
      const [again] = end.rows('Devices').filter((row) => row.userId === userId);
      assert.ok(works(again?.endpointArn));
    }
  },
};

type Tokens = Readonly<Record<string, string>>;

/** Each user has one phone here, with at most one token; a token has at most one user. */
function tokensExplain(users: Readonly<Record<string, string>>, before: Tokens = {}): Scenario['invariants'] {
  return {
    'the owners of each token are linearizable': ({ calls, rows }) => {
      const without = (state: Tokens, user: string, token?: string) =>
        Object.fromEntries(Object.entries(state).filter(([each, its]) => each !== user && its !== token));
      const history = calls.flatMap((call) => {
        const user = users[call.client] ?? '';
        if (call.operation === 'registerDevice') {
          const { token } = call.request.body as { token: string };
          return [observed<Tokens>(call, (state) => ({ ...without(state, user, token), [user]: token }))];
        }
        if (call.operation === 'unregisterDevice') return [observed<Tokens>(call, (state) => without(state, user))];
        return [];
      });
      const last = rows('Devices').map(({ userId, tokenHash }) => `${userId} ${tokenHash}`);
      const accepts = (state: Tokens) =>
        JSON.stringify(
          Object.entries(state)
            .map(([user, token]) => `${user} ${hashOf(token)}`)
            .sort(),
        ) === JSON.stringify(last.sort());
      assert.ok(isLinearizable<Tokens>(before, history, accepts), JSON.stringify(last));
    },
  };
}

const users = { "Ann's app": 'patient-1', "Ann's second start": 'patient-1', "Ben's app": 'patient-2' };

export const registers =
  (token: string, deviceId?: string): Scenario['clients'][string]['does'] =>
  async ({ insist }) =>
    void (await insist('registerDevice', phone(token, deviceId)));

/** The same installation: one device id, whoever signs in. */
export const onePhone: Scenario = {
  name: 'one-phone',
  domain: 'devices',
  says: 'Two users register the same phone at the same time, one of them twice.',
  clients: {
    "Ann's app": { as: patient, does: registers('first') },
    "Ann's second start": { as: patient, does: registers('first') },
    "Ben's app": { as: otherPatient, does: registers('first') },
  },
  clockMoves: [-3000, 60_000],
  invariants: { ...deviceInvariants, ...served("Ann's app", "Ben's app"), ...tokensExplain(users), ...reachable },
};

/** The system gave the app a new token, while another user signs in with the old one. */
export const phoneWithNewToken: Scenario = {
  name: 'phone-with-new-token',
  domain: 'devices',
  says: "A user's phone registers a new token while another user registers the old one.",
  setUp: async ({ call }) => {
    await call(patient, 'registerDevice', phone('first'));
  },
  clients: {
    "Ann's app": { as: patient, does: registers('second') },
    "Ben's app": { as: otherPatient, does: registers('first') },
  },
  invariants: {
    ...deviceInvariants,
    ...served("Ann's app", "Ben's app"),
    ...tokensExplain(users, { 'patient-1': 'first' }),
    ...reachable,
  },
};

/** An app that signs out does not wait for the answer, and the next user signs in. */
export const phoneGivenUp: Scenario = {
  name: 'phone-given-up',
  domain: 'devices',
  says: 'A phone is registered and given up at once, while another user registers it.',
  setUp: async ({ call }) => {
    await call(patient, 'registerDevice', phone('first'));
  },
  clients: {
    "Ann's app": { as: patient, does: ({ insist }) => insist('unregisterDevice', { params: { deviceId: 'phone' } }) },
    "Ann's second start": { as: patient, does: registers('first') },
    "Ben's app": { as: otherPatient, does: registers('first') },
  },
  invariants: {
    ...deviceInvariants,
    ...served("Ann's app", "Ben's app"),
    ...tokensExplain(users, { 'patient-1': 'first' }),
    ...reachable,
  },
};
