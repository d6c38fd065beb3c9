import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Demand, demandOf, mostOf } from '../../bin/assembly-demand.ts';
import {
  type Account,
  checkAccount,
  checkDemand,
  isOfStage,
  leastBootstrapVersion,
  mailAddresses,
  mailVerdict,
  type Quota,
} from '../../bin/preflight-checks.ts';
import { invitationPages, mailSenders, secureAccountPages } from '../../functions/product.ts';
import { settings } from '../../functions/settings.ts';
import { instrument } from '../questionnaires/instruments.ts';
import { apiBody } from './api-body.ts';
import { ofType, stage } from './stage.ts';

/** Some of what Service Quotas lists, with the codes and names that it has for them. */
const quotas = {
  apigateway: [
    { QuotaCode: 'L-65B5C802', QuotaName: 'Routes per HTTP API', Value: 300 },
    { QuotaCode: 'L-01C8A9E0', QuotaName: 'Resources/Routes per REST/WebSocket API', Value: 300 },
    { QuotaCode: 'L-379E48B0', QuotaName: 'Stages per API', Value: 10 },
  ],
  iam: [
    { QuotaCode: 'L-F55AF5E4', QuotaName: 'Users per account', Value: 5000 },
    { QuotaCode: 'L-FE177D64', QuotaName: 'Roles per account', Value: 1000 },
  ],
  'cognito-idp': [
    { QuotaCode: 'L-55545DC8', QuotaName: 'Rate of UserResourceRead requests', Value: 50 },
    { QuotaCode: 'L-026ADBA3', QuotaName: 'Rate of UserAuthentication requests', Value: 120 },
    { QuotaCode: 'L-F21F8BB4', QuotaName: 'Rate of UserToken requests', Value: 120 },
  ],
} as const;

/** With the values of some codes replaced; IAM answers in one region only. */
function listed({ service, region }: Quota, values: Readonly<Record<string, number>> = {}) {
  const all = quotas[service as keyof typeof quotas];
  if (service === 'iam' && region !== 'us-east-1') throw new Error(`IAM's quotas are not known in ${region}`);
  return all.map((quota) => ({ ...quota, Value: values[quota.QuotaCode] ?? quota.Value }));
}

const withQuotas = (values: Readonly<Record<string, number>>): Partial<Account> => ({
  quotas: async (quota) => listed(quota, values),
});

/** A questionnaire with its wording. */
const worded = instrument('phq-9');

/** An account as a new one should be. */
const ready: Account = {
  bootstrapVersion: async () => 28,
  concurrency: async () => ({ total: 1000, unreserved: 1000 }),
  gateway: async () => ({ rate: 10_000, burst: 5000, logRole: null }),
  quotas: async (quota) => listed(quota),
  roles: async () => ({ used: 100, ofStage: 0, total: 1000 }),
  codeStorage: async () => ({ total: 75 * 1024 ** 3, used: 0 }),
  mail: async () => ({ isInSandbox: false, isSending: true, isVerified: true }),
  isProtected: async () => null,
  definitions: async (_environment, ids) => new Map(ids.map((id) => [id, worded])),
};

const demand = demandOf(stage('dev').directory);
const today = '2026-11-26';

const preflight = async (environment: 'dev' | 'prod', account: Account, asked: Demand, date: string) => [
  ...(await checkAccount(environment, account, date)),
  ...(await checkDemand(environment, account, asked)),
];

/** A demand with another number of one kind. */
const needing = (what: string, found: number): Demand => ({ ...demand, limits: [{ what, found, limit: found }] });

const wrong = async (environment: 'dev' | 'prod', account: Partial<Account>, more: Partial<Demand> = {}) => {
  const findings = await preflight(environment, { ...ready, ...account }, { ...demand, ...more }, today);
  return Object.fromEntries(findings.flatMap(({ subject, toDo }) => (toDo === null ? [] : [[subject, toDo]])));
};

test('an account with the usual limits is ready for dev; for prod somebody has to hear of alarms, and mails name real addresses', async () => {
  expect(await wrong('dev', {})).toEqual({});
  const addresses = JSON.stringify([invitationPages.prod, secureAccountPages, mailSenders]);
  const expected = [
    ...(settings.prod.mail.identity.includes('example.com') ? ['Mail'] : []),
    ...(addresses.includes('example.com') ? ['Addresses in mails'] : []),
    ...(settings.prod.alarmEmails?.length ? [] : ['Alarms by e-mail']),
  ];
  expect(Object.keys(await wrong('prod', {}))).toEqual(expected);
});

test.each([
  ['https://medinfo.example.com/invitations', true],
  ['https://example.org', true],
  ['help@sleepcare.example.com', true],
  ['help@example.net', true],
  ['Example.COM', true],
  ['help@clinic.example.com. Or call us.', true],
  ['https://clinic.test/invitations', true],
  ['https://clinic.invalid', true],
  ['https://medinfo.clinic.de/invitations', false],
  ['https://myexample.com/invitations', false],
  ['https://example.com.clinic.de/invitations', false],
  ['https://test.clinic.de', false],
  ['help@examples.com', false],
  ['+49 30 1234567', false],
])('an address in mails, %s, belongs to nobody: %s', (address, isExample) => {
  expect(mailAddresses('prod', [`mailSenders: ${address}`, 'mailSenders: help@clinic.de'])).toEqual({
    found: isExample ? `mailSenders: ${address}` : `mailSenders: ${address}; mailSenders: help@clinic.de`,
    toDo: isExample ? expect.stringContaining('functions/product.ts') : null,
  });
  expect(mailAddresses('dev', [address]).toDo).toBeNull();
});

test('a crisis contact that nobody compared with its source for a year stops the release', async () => {
  const findings = await preflight('dev', ready, demand, '2030-01-01');
  const { found, toDo } = findings.find(({ subject }) => subject === 'Crisis contacts') ?? {};
  expect(found).toContain('DE TelefonSeelsorge 0800 1110111: checked on 20');
  expect(toDo).toContain('crisis-contacts.ts');
});

test('a programme whose gate names an instrument without wording is no obstacle for dev, and one for prod', async () => {
  const seeded: Partial<Account> = {
    definitions: async (_environment, ids) => new Map(ids.map((id) => [id, id === 'ess' ? instrument('ess') : worded])),
  };
  expect(await wrong('dev', seeded)).toEqual({});
  const toDo = expect.stringContaining('publish a version with the wording');
  expect(await wrong('prod', seeded)).toMatchObject({ 'Wording of questionnaires': toDo });
  const findings = await preflight('prod', { ...ready, ...seeded }, demand, today);
  const { found } = findings.find(({ subject }) => subject === 'Wording of questionnaires') ?? {};
  expect(found).toBe(
    ['insomnia-basic', 'insomnia-self-guided']
      .map((programme) => `${programme} asks for ess, which has no wording in en, de`)
      .join('; '),
  );
  // One that is not published has no wording either.
  expect(await wrong('prod', { definitions: async () => new Map() })).toMatchObject({
    'Wording of questionnaires': toDo,
  });
});

test('without a bootstrap, or with an old one, it says how to make one', async () => {
  const none = { bootstrapVersion: async () => null };
  expect(await wrong('dev', none)).toEqual({ 'CDK bootstrap': 'npm run cdk -- bootstrap -c stage=dev' });
  const old = { bootstrapVersion: async () => leastBootstrapVersion - 1 };
  expect(await wrong('dev', old)).toEqual({
    'CDK bootstrap': expect.stringMatching(/^npm run cdk -- bootstrap -c stage=dev: at least 6/),
  });
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
  expect(toDo).toContain(`Ask for at least ${ask}`);
});

test('the throttles of both stages have to fit into the account’s', async () => {
  const gateway = async () => ({ rate: 1999, burst: 5000, logRole: null });
  expect(await wrong('prod', { gateway })).toMatchObject({ 'API Gateway throttle': expect.stringContaining('2000') });
  expect(await wrong('dev', { gateway })).toEqual({});
});

test('a log role of somebody else is reported, and no obstacle', async () => {
  const logRole = 'arn:aws:iam::000000000000:role/others';
  const gateway = async () => ({ rate: 10_000, burst: 5000, logRole });
  const findings = await preflight('dev', { ...ready, gateway }, demand, today);
  const { found, toDo } = findings.find(({ subject }) => subject === 'API Gateway log role') ?? {};
  expect([found, toDo]).toEqual([expect.stringContaining(`${logRole}; the stack`), null]);
});

test('Cognito’s rates: one too small or unknown is to be asked for', async () => {
  expect(await wrong('prod', withQuotas({ 'L-026ADBA3': 119 }))).toMatchObject({
    'Cognito request rates':
      'Ask for at least 120 a second of Rate of UserAuthentication requests (cognito-idp, L-026ADBA3) in Service Quotas',
  });
  expect(await wrong('prod', { quotas: async () => [] })).toMatchObject({
    'Cognito request rates': expect.stringMatching(/L-026ADBA3\) and Rate of UserToken requests \(.*L-F21F8BB4\)/),
  });
});

describe('what the stage takes of the account’s quotas', () => {
  test('is counted in its templates', () => {
    const { templates } = stage('dev');
    const roles = Object.keys(ofType('AWS::IAM::Role', ...Object.values(templates))).length;
    expect(mostOf(demand, 'roles')).toBeGreaterThanOrEqual(roles);
    expect(mostOf(demand, 'paths of ')).toBe(Object.keys(apiBody(templates.Medinfo).paths).length);
    // The stubs of these tests.
    expect(demand.codeBytes).toBeGreaterThan(1000);
  });

  test('resources of an API fit, or are to be asked for of that API', async () => {
    expect(await wrong('dev', {}, needing('paths of an API', 300))).toEqual({});
    const toDo = {
      'API Gateway resources': expect.stringMatching(
        /^Ask for at least 301 of Resources\/Routes per REST\/WebSocket API \(apigateway, L-01C8A9E0\).*single APIs/,
      ),
    };
    expect(await wrong('dev', {}, needing('paths of an API', 301))).toEqual(toDo);
    expect(await wrong('dev', { quotas: async () => [] }, needing('paths of an API', 301))).toMatchObject(toDo);
    expect(await wrong('dev', withQuotas({ 'L-01C8A9E0': 400 }), needing('paths of an API', 301))).toEqual({});
    expect(await wrong('dev', withQuotas({ 'L-01C8A9E0': 10 }))).toHaveProperty('API Gateway resources');
  });

  test('roles fit beside those of the account, or the stage needs another account', async () => {
    const roles = async () => ({ used: 600, ofStage: 0, total: 1000 });
    expect(await wrong('dev', { roles }, needing('roles', 400))).toEqual({});
    expect(await wrong('dev', { roles }, needing('roles', 401))).toEqual({
      'IAM roles': expect.stringMatching(
        /^The stage does not fit.*at least 1001 of Roles per account \(iam, L-FE177D64, in us-east-1\)/,
      ),
    });
  });

  test('roles of a stage that is deployed already are not counted twice', async () => {
    const roles = async () => ({ used: 1000, ofStage: 400, total: 1000 });
    expect(await wrong('dev', { roles }, needing('roles', 400))).toEqual({});
    // It has grown by one role.
    expect(await wrong('dev', { roles }, needing('roles', 401))).toHaveProperty('IAM roles');
  });

  test.each([
    ['MobileHealth-dev-Sleepcare-AgreeRole-1ABC', true],
    ['MobileHealth-Account-LogRole-1ABC', true],
    ['MobileHealth-staging-Sleepcare-AgreeRole-1ABC', false],
    ['AWSServiceRoleForAPIGateway', false],
  ])('%s is a role of dev: %s', (name, is) => expect(isOfStage(name, 'dev')).toBe(is));

  test('no stream has more consumers than DynamoDB serves', async () => {
    expect(mostOf(demand, 'consumers of ')).toBe(2);
    expect(await wrong('dev', {}, needing('consumers of a stream', 3))).toHaveProperty('DynamoDB streams');
  });

  test('code fits beside what is stored, or is to be asked for', async () => {
    const codeStorage = async () => ({ total: 1000, used: 600 });
    expect(Object.keys(await wrong('dev', { codeStorage }, { codeBytes: 401 }))).toEqual(['Lambda code storage']);
    expect(await wrong('dev', { codeStorage }, { codeBytes: 400 })).toEqual({});
  });
});

test.each([
  [null, undefined],
  [true, undefined],
  [false, 'No traffic before it: npm run deploy -- --stage prod'],
])('prod gets no traffic before it is protected: %s', async (is, toDo) => {
  const isProtected = async () => is;
  expect((await wrong('prod', { isProtected })).Protection).toBe(toDo);
});

test('a stage that keeps no data has no such output, and is not asked for it', async () => {
  const isProtected = async () => {
    throw new Error('the stack MobileHealth-dev-State has no output IsProtected');
  };
  expect((await wrong('dev', { isProtected })).Protection).toBeUndefined();
});

test('what is near a default limit is named, and what is over one is to be divided', async () => {
  const found = async (limits: Demand['limits']) =>
    (await checkDemand('dev', ready, { ...demand, limits })).find(({ subject }) => subject === 'Default limits');
  const near = [
    { what: 'variables of agree', found: 81, limit: 100 },
    { what: 'outputs of agree', found: 80, limit: 100 },
    { what: 'roles', found: 1100, limit: 1000 },
  ];
  expect(await found(near)).toMatchObject({ found: 'variables of agree: 81 of 100', toDo: null });
  expect(await found([{ what: 'outputs of State', found: 101, limit: 100 }])).toMatchObject({
    toDo: 'AWS refuses outputs of State: divide it',
  });
  expect((await found(demand.limits))?.toDo).toBeNull();
});

test('a check that is not permitted is its own finding, and the others are still reported', async () => {
  const concurrency = async () => {
    throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  };
  const findings = await preflight('dev', { ...ready, concurrency }, demand, today);
  expect(findings.length).toBe(16);
  expect(findings.filter(({ toDo }) => toDo !== null)).toEqual([
    {
      subject: 'Lambda concurrency',
      found: 'could not be read: AccessDeniedException, not authorized',
      toDo: expect.stringContaining('credentials'),
    },
  ]);
});

const verified = { isInSandbox: false, isSending: true, isVerified: true };

test.each([
  ['no identity', { ...verified, isVerified: null }, false, /Verify it/],
  ['an identity whose DNS is not there yet', { ...verified, isVerified: false }, false, /Verify it/],
  ['a paused account', { ...verified, isSending: false }, false, /paused/],
  ['the sandbox, where people are written to', { ...verified, isInSandbox: true }, true, /production access/],
] as const)('mail: %s is to be mended', (_, state, keepsData, said) => {
  const mail = { from: 'no-reply@clinic.de', identity: 'clinic.de' };
  expect(mailVerdict({ mail, keepsData }, state).toDo).toMatch(said);
  expect(mailVerdict({ mail, keepsData }, verified).toDo).toBeNull();
});

test('mail: an identity is verified as what it is, a domain or one address', () => {
  const said = (identity: string) =>
    mailVerdict({ mail: { from: 'me@clinic.de', identity }, keepsData: false }, { ...verified, isVerified: false })
      .toDo;
  expect(said('clinic.de')).toMatch(/--email-identity clinic\.de, then its DNS records$/);
  expect(said('me@clinic.de')).toMatch(/--email-identity me@clinic\.de, then the link in the mail to it$/);
});

test('mail: the sandbox does for dev, and an example does, too: what it lacks is said', () => {
  const mail = { from: 'no-reply@clinic.de', identity: 'clinic.de' };
  expect(mailVerdict({ mail, keepsData: false }, { ...verified, isInSandbox: true }).toDo).toBeNull();
  const example = { from: 'no-reply@dev.example.com', identity: 'dev.example.com' };
  const state = { ...verified, isVerified: null };
  expect(mailVerdict({ mail: example, keepsData: false }, state)).toEqual({
    found: expect.stringMatching(/^no-reply@dev\.example\.com is an example: nobody gets a mail/),
    toDo: null,
  });
  expect(mailVerdict({ mail: example, keepsData: true }, state).toDo).toMatch(/Set `mail`/);
});
