import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Demand, demandOf } from '../../bin/assembly-demand.ts';
import { type Account, leastBootstrapVersion, preflight } from '../../bin/preflight-checks.ts';
import { settings } from '../../lib/stack/settings.ts';
import { apiBody } from './api-body.ts';
import { ofType, stage } from './stage.ts';

/** An account as a new one should be. */
const ready: Account = {
  bootstrapVersion: async () => 28,
  concurrency: async () => ({ total: 1000, unreserved: 1000 }),
  gateway: async () => ({ rate: 10_000, burst: 5000, logRole: null }),
  cognitoRates: async () =>
    new Map([
      ['UserAuthentication', 120],
      ['UserToken', 120],
    ]),
  gatewayResources: async () => null,
  roles: async () => null,
  codeStorage: async () => ({ total: 75 * 1024 ** 3, used: 0 }),
};

const demand = demandOf(stage('dev').directory);

const wrong = async (environment: 'dev' | 'prod', account: Partial<Account>, more: Partial<Demand> = {}) => {
  const findings = await preflight(environment, { ...ready, ...account }, { ...demand, ...more });
  return Object.fromEntries(findings.flatMap(({ subject, toDo }) => (toDo === null ? [] : [[subject, toDo]])));
};

test('an account with the usual limits is ready for dev; for prod somebody has to hear of alarms', async () => {
  expect(await wrong('dev', {})).toEqual({});
  const expected = settings.prod.alarmEmails.length > 0 ? [] : ['Alarms by e-mail'];
  expect(Object.keys(await wrong('prod', {}))).toEqual(expected);
});

test('without a bootstrap, or with an old one, it says how to make one', async () => {
  const none = { bootstrapVersion: async () => null };
  expect(await wrong('dev', none)).toEqual({ 'CDK bootstrap': expect.stringMatching(/^npx cdk bootstrap aws:/) });
  const old = { bootstrapVersion: async () => leastBootstrapVersion - 1 };
  expect(await wrong('dev', old)).toEqual({ 'CDK bootstrap': expect.stringMatching(/at least 6/) });
});

test('the least bootstrap version is the one that the templates ask for', () => {
  const { manifest, directory } = stage('dev');
  const asked = Object.entries(manifest.artifacts).flatMap(([id, { type }]) => {
    if (type !== 'aws:cloudformation:stack') return [];
    const all = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    return [all.artifacts[id].properties.requiresBootstrapStackVersion as number];
  });
  expect(Math.max(...asked)).toBe(leastBootstrapVersion);
});

test.each([
  ['a new account’s ten', 10, 10, 1000],
  ['what others have reserved', 1500, 600, 1900],
])('%s functions at a time are too few for prod', async (_, total, unreserved, ask) => {
  const { 'Lambda concurrency': toDo } = await wrong('prod', { concurrency: async () => ({ total, unreserved }) });
  expect(toDo).toContain(`Ask for ${ask} at least`);
});

test('the throttles of both stages have to fit into the account’s', async () => {
  const gateway = async () => ({ rate: 1999, burst: 5000, logRole: null });
  expect(await wrong('prod', { gateway })).toMatchObject({ 'API Gateway throttle': expect.stringContaining('2000') });
  expect(await wrong('dev', { gateway })).toEqual({});
});

test('a log role of somebody else is told, and no obstacle', async () => {
  const logRole = 'arn:aws:iam::000000000000:role/others';
  const gateway = async () => ({ rate: 10_000, burst: 5000, logRole });
  const findings = await preflight('dev', { ...ready, gateway }, demand);
  const { found, toDo } = findings.find(({ subject }) => subject === 'API Gateway log role') ?? {};
  expect([found, toDo]).toEqual([expect.stringContaining(`${logRole}; the stack`), null]);
});

test('Cognito’s rates: one too small or unknown is to be asked for', async () => {
  const cognitoRates = async () => new Map([['UserAuthentication', 100]]);
  expect(await wrong('prod', { cognitoRates })).toMatchObject({
    'Cognito request rates': expect.stringContaining('UserAuthentication and UserToken'),
  });
});

describe('what the stage takes of the account’s quotas', () => {
  test('is counted in its templates', () => {
    const { templates } = stage('dev');
    const roles = Object.keys(ofType('AWS::IAM::Role', ...Object.values(templates))).length;
    expect(demand.roles).toBeGreaterThanOrEqual(roles);
    expect(demand.gatewayResources).toBe(Object.keys(apiBody(templates.Medinfo).paths).length);
    // The stubs of these tests.
    expect(demand.codeBytes).toBeGreaterThan(1000);
  });

  test('fits, or is to be asked for', async () => {
    expect(await wrong('dev', {}, { gatewayResources: 300, roles: 1000 })).toEqual({});
    expect(await wrong('dev', {}, { gatewayResources: 301 })).toEqual({
      'API Gateway resources': 'Ask for 301 at least of Resources per API (Amazon API Gateway) in Service Quotas',
    });
    expect(await wrong('dev', { gatewayResources: async () => 400 }, { gatewayResources: 301 })).toEqual({});
    expect(Object.keys(await wrong('dev', {}, { roles: 1001 }))).toEqual(['IAM roles']);
    const codeStorage = async () => ({ total: 1000, used: 600 });
    expect(Object.keys(await wrong('dev', { codeStorage }, { codeBytes: 401 }))).toEqual(['Lambda code storage']);
    expect(await wrong('dev', { codeStorage }, { codeBytes: 400 })).toEqual({});
  });
});

test('what may not be asked is a finding of its own, and the others are told all the same', async () => {
  const concurrency = async () => {
    throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  };
  const findings = await preflight('dev', { ...ready, concurrency }, demand);
  expect(findings.length).toBe(9);
  expect(findings.filter(({ toDo }) => toDo !== null)).toEqual([
    {
      subject: 'Lambda concurrency',
      found: 'could not be asked: AccessDeniedException, not authorized',
      toDo: expect.stringContaining('credentials'),
    },
  ]);
});
