import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { tokenIn } from '../mail/token.ts';
import type { Dependency } from './case.ts';
import { type Answer, asked, openStage } from './stage.ts';
import { expectAnswer } from './survive.ts';

/** The routes of staff and of the overview: what was answered with 503 succeeds when it is asked for again. */

const stage = await openStage({ ofRoutes: true });
afterAll(() => stage.close());

const password = 'a-long-first-passphrase';

const admin = (method: string, path: string, body?: object) => stage.admin.call(method, path, body);
const newEmail = () => `staff-${randomUUID()}@example.com`;
const invite = (email: string) => admin('POST', '/admin/staff', { email, name: 'Dr. Fault', roles: ['physician'] });

async function invited() {
  const email = newEmail();
  const { staffId, invitationCode: code } = await asked(() => invite(email));
  await stage.stage.idle();
  const token = tokenIn((stage.stage.ses?.mails() ?? []).findLast(({ to }) => to === email)?.text);
  return { staffId: staffId as string, accepting: { email, token, code, password } };
}

async function member(): Promise<string> {
  const { staffId, accepting } = await invited();
  await asked(() => stage.call('medinfo', '', 'POST', '/admin/staff/accept', accepting));
  return staffId;
}

type Case = {
  readonly on: readonly Dependency[];
  readonly prepare: () => Promise<() => Promise<Answer>>;
  status?: number;
};

const ofMember =
  (method: string, path: (staffId: string) => string, body?: object): Case['prepare'] =>
  async () => {
    const staffId = await member();
    return () => admin(method, path(staffId), body);
  };

const cases: Readonly<Record<string, Case>> = {
  'invite-staff': {
    on: ['DynamoDB', 'Cognito'],
    status: 201,
    prepare: async () => {
      const [email, key] = [newEmail(), { 'idempotency-key': randomUUID() }];
      const body = { email, name: 'Dr. Fault', roles: ['physician'] };
      return () => stage.admin.call('POST', '/admin/staff', body, key);
    },
  },
  'resend-staff-invitation': {
    on: ['DynamoDB', 'SQS'],
    prepare: async () => {
      const { staffId } = await invited();
      return () => admin('POST', `/admin/staff/${staffId}/invitation`);
    },
  },
  'accept-staff-invitation': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const { accepting } = await invited();
      return () => stage.call('medinfo', '', 'POST', '/admin/staff/accept', accepting);
    },
  },
  'list-staff': { on: ['DynamoDB'], prepare: async () => () => admin('GET', '/admin/staff') },
  'read-staff-member': { on: ['DynamoDB'], prepare: ofMember('GET', (id) => `/admin/staff/${id}`) },
  'update-staff-member': {
    on: ['DynamoDB'],
    prepare: async () => {
      const path = `/admin/staff/${await member()}`;
      const { headers } = await admin('GET', path);
      const seen = { 'if-match': headers.get('etag') ?? '' };
      return () => stage.admin.call('PATCH', path, { name: 'Dr. Other' }, seen);
    },
  },
  'disable-staff': { on: ['DynamoDB', 'Cognito'], prepare: ofMember('POST', (id) => `/admin/staff/${id}/disable`) },
  'enable-staff': {
    on: ['DynamoDB', 'Cognito'],
    prepare: async () => {
      const staffId = await member();
      await asked(() => admin('POST', `/admin/staff/${staffId}/disable`));
      return () => admin('POST', `/admin/staff/${staffId}/enable`);
    },
  },
  'reset-staff-mfa': { on: ['DynamoDB', 'Cognito'], prepare: ofMember('POST', (id) => `/admin/staff/${id}/reset-mfa`) },
  'read-user-roles': { on: ['DynamoDB'], prepare: ofMember('GET', (id) => `/iam/users/${id}/roles`) },
  'give-role': { on: ['DynamoDB', 'Cognito'], prepare: ofMember('PUT', (id) => `/iam/users/${id}/roles/agent`) },
  'take-role': { on: ['DynamoDB', 'Cognito'], prepare: ofMember('DELETE', (id) => `/iam/users/${id}/roles/physician`) },
  'read-overview': { on: ['DynamoDB'], prepare: async () => () => admin('GET', '/admin/overview') },
};

const outages = Object.entries(cases).flatMap(([name, { on, prepare, status }]) =>
  on.map((dependency) => ({ name, dependency, prepare, status })),
);

test.each(outages)('$name · $dependency throttles', async ({ dependency, prepare, status = 200 }) => {
  const send = await prepare();
  await stage.stage.idle();
  const fault = stage.fail({ dependency, kind: 'throttle', times: Number.POSITIVE_INFINITY }, '');
  const met = await send().finally(() => stage.lift(fault));
  expect(fault.met).toBeGreaterThan(0);
  expectAnswer(met, 'UNAVAILABLE');
  expectAnswer(await send(), null, status);
});
