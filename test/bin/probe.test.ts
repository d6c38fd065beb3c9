import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sampleAnswers } from '../../bin/analytics/sample-answers.ts';
import { cleanUp, type ProbeAccount, runProbe } from '../../bin/probe.ts';
import { cases } from '../../bin/probe-cases.ts';
import { unprobed } from '../../bin/probe-unproved.ts';
import type { Metered, Probed } from '../../bin/probed.ts';
import { selfServiceScope } from '../../lib/contract/tokens.ts';
import { addressLimit } from '../../lib/stack/settings.ts';

const names = { state: 'ProbeState', api: 'ProbeApi' };
const templates = { state: { first: 1 }, replaced: { first: 2 }, api: { second: 1 }, redeployed: { second: 2 } };

const passed: Metered = { status: 200, refusedBy: null };
const byPlan: Metered = { status: 429, refusedBy: 'gateway' };
const byFirewall: Metered = { status: 429, refusedBy: 'firewall' };

/** All but the first ten of a burst of metered calls. */
const metering: Probed['burst'] = async (path, calls) =>
  Array.from({ length: calls }, (_, i) => (path === '/metered' && i >= 10 ? byPlan : passed));

/** AWS as its documents, or we, have it. */
const asMeant = {
  scopes: [null, null, selfServiceScope] as readonly unknown[],
  groups: ['physician'] as unknown,
  looks: ['NotAuthorizedException', 'NotAuthorizedException', 'answered'] as readonly string[],
};

const answersOfSample = Object.fromEntries(
  Object.entries(sampleAnswers).map(([id, { rows }]) => {
    return [id, rows.map((row) => row.map((value) => (value === null ? null : String(value))))];
  }),
);

const asExpected: Probed = {
  paths: { metered: '/metered', unmetered: '/unmetered', withSlash: '/with/a%2Fb' },
  fetch: async (path) => ({ status: 200, body: { resource: path === '/no/such/path' ? '/{proxy+}' : path } }),
  burst: metering,
  firewallsMinute: async () => undefined,
  decrypted: async () => ({ own: 'done', other: 'AccessDeniedException' }),
  invoke: async (payload) =>
    'probe' in payload && payload.probe === 'sns'
      ? { allowed: 'NotFoundException', denied: 'AuthorizationErrorException' }
      : { secretLength: 64, table: 'a-table' },
  ledger: {
    put: async () => 'AccessDeniedException',
    putInTransaction: async () => 'done',
    putExpiringInTransaction: async () => 'AccessDeniedException',
    update: async () => 'AccessDeniedException',
    remove: async () => 'AccessDeniedException',
  },
  evidence: {
    put: async () => 'done',
    putToArchive: async () => 'AccessDenied',
    putUnderOwnKey: async () => 'AccessDenied',
    beginInParts: async () => 'AccessDenied',
  },
  cognito: {
    writeAttributes: async () => ['custom:unused'],
    signIn: async () => 'signed in',
    renew: async () => ['the token stays', 'the token stays'],
    revokeText: async () => 'InvalidParameterException',
    renewAfterRevoking: async () => ({ renewal: 'NotAuthorizedException', again: 'done' }),
    rightCodeAfterWrong: async () => 'signed in',
    windowOfCodes: async () => [-1, 0, 1],
    disabledUser: async () => ['User is disabled.', 'Incorrect username or password.'],
    temporaryPassword: async () => 'NEW_PASSWORD_REQUIRED',
    scopes: async () => asMeant,
    failingTrigger: async () => ['UserLambdaValidationException', 'renewed'],
    appOfTwoTokens: async () => 'SUCCESS',
    publicAnswerToAdminChallenge: async () => 'NotAuthorizedException',
    publicOperations: async () => ({ SignUp: 'NotAuthorizedException' }),
    deleteApp: async () => ['deleted', 'deleted', 'MFA_SETUP'],
  },
  askAthena: async () => answersOfSample,
  webAclOfStage: async () => 'arn',
  followReplacement: async () => ({ before: 'old', has: 'new', should: 'new' }),
  redeploy: async () => undefined,
};

const there = new Set<string>();
let lines: string[] = [];
const log = (line: string) => lines.push(line);

beforeEach(() => {
  there.clear();
  lines = [];
});

function accountOf(probed: Probed, more: Partial<ProbeAccount> = {}): ProbeAccount {
  return {
    async deploy(name) {
      there.add(name);
      return [];
    },
    made: async (name) => (there.has(name) ? new Date(Date.now() - 31 * 60_000) : null),
    async remove(name) {
      there.delete(name);
      return [];
    },
    probed: async () => probed,
    ...more,
  };
}

const failing = () => lines.filter((line) => /^(FAILS|LEFT)/.test(line));

test('all holds: it says so of each case, names what stays open, and leaves nothing', async () => {
  expect(await runProbe(accountOf(asExpected), names, templates, log)).toBe(true);
  expect(failing()).toEqual([]);
  expect(lines.filter((line) => line.startsWith('holds'))).toHaveLength(cases.length + 1);
  expect(lines.filter((line) => line.startsWith('open'))).toHaveLength(unprobed.length);
  expect(lines[0]).toContain('aws cloudformation delete-stack --stack-name ProbeApi');
  expect([...there]).toEqual([]);
});

describe('what does not hold is reported, and the stacks are still deleted', () => {
  const refuses = async () => 'done';
  const changed: [string, Partial<Probed>][] = [
    ['Athena takes the views', { askAthena: async () => ({ ...answersOfSample, scores: 'FAILED: line 1:8' }) }],
    [
      'Athena takes the views',
      { askAthena: async () => ({ ...answersOfSample, adherence: [['1', '3', '4', '0.2']] }) },
    ],
    [
      'CloudFormation reads a variable with a secret',
      { invoke: async () => ({ secretLength: 0, allowed: 'NotFound', denied: 'Authorization' }) },
    ],
    [
      'IAM takes platform',
      {
        invoke: async () => ({
          secretLength: 64,
          allowed: 'AuthorizationErrorException',
          denied: 'AuthorizationErrorException',
        }),
      },
    ],
    [
      'an unknown path',
      {
        fetch: async (path) =>
          path === '/no/such/path'
            ? { status: 403, body: { message: 'Missing equal-sign' } }
            : { status: 200, body: { resource: path } },
      },
    ],
    [
      '%2F in a path',
      {
        fetch: async (path) => ({ status: 200, body: { resource: /such|%2F/.test(path) ? '/{proxy+}' : path } }),
      },
    ],
    [
      'a route that requires no key',
      { burst: async (_, calls) => Array.from({ length: calls }, (_, i) => (i < 10 ? passed : byPlan)) },
    ],
    ['a function can use the key only', { decrypted: async () => ({ own: 'AccessDeniedException', other: 'done' }) }],
    ['a function can use the key only', { decrypted: async () => ({ own: 'done', other: 'done' }) }],
    ['RevokeToken', { cognito: { ...asExpected.cognito, revokeText: async () => 'TooManyRequestsException' } }],
    ['a ledger’s policy', { ledger: { ...asExpected.ledger, put: refuses } }],
    ['a ledger’s policy', { ledger: { ...asExpected.ledger, putExpiringInTransaction: async () => 'done' } }],
    ['a ledger’s policy', { ledger: { ...asExpected.ledger, update: refuses } }],
    ['a ledger’s policy', { ledger: { ...asExpected.ledger, remove: refuses } }],
    ['a ledger’s policy', { ledger: { ...asExpected.ledger, putInTransaction: async () => 'AccessDeniedException' } }],
    [
      'an app client can write only the one attribute that it names',
      { cognito: { ...asExpected.cognito, writeAttributes: async () => ['email', 'name'] } },
    ],
    ['the case of an e-mail', { cognito: { ...asExpected.cognito, signIn: async () => 'UserNotFoundException' } }],
    [
      'a refresh token of the admin flow',
      { cognito: { ...asExpected.cognito, renew: async () => ['the token stays', 'rotated'] } },
    ],
    ['RevokeToken', { cognito: { ...asExpected.cognito, revokeText: async () => 'done' } }],
    [
      'a refresh token that was revoked',
      {
        cognito: {
          ...asExpected.cognito,
          renewAfterRevoking: async () => ({ renewal: 'renewed', again: 'done' }),
        },
      },
    ],
    [
      'a session of the second',
      { cognito: { ...asExpected.cognito, rightCodeAfterWrong: async () => 'NotAuthorizedException' } },
    ],
    ...[[0, 1, 2], [1], []].map((found): [string, Partial<Probed>] => [
      'three codes of an authenticator app',
      { cognito: { ...asExpected.cognito, windowOfCodes: async () => found } },
    ]),
    ...[
      ['Incorrect username or password.', 'Incorrect username or password.'],
      ['User is disabled.', 'User is disabled.'],
    ].map((found): [string, Partial<Probed>] => [
      'that a user is disabled',
      { cognito: { ...asExpected.cognito, disabledUser: async () => found } },
    ]),
    ['a temporary password', { cognito: { ...asExpected.cognito, temporaryPassword: async () => 'signed in' } }],
    ...[
      { scopes: [selfServiceScope, null, selfServiceScope] },
      { scopes: [null, selfServiceScope, selfServiceScope] },
      { scopes: [null, null, null] },
      { groups: [] },
      { looks: ['answered', 'NotAuthorizedException', 'answered'] },
    ].map((more): [string, Partial<Probed>] => [
      'the trigger takes the scope',
      { cognito: { ...asExpected.cognito, scopes: async () => ({ ...asMeant, ...more }) } },
    ]),
    ...[
      ['NotAuthorizedException', 'renewed'],
      ['renewed', 'renewed'],
      ['UserLambdaValidationException', 'RefreshTokenReuseException'],
    ].map((found): [string, Partial<Probed>] => [
      'a trigger that fails',
      { cognito: { ...asExpected.cognito, failingTrigger: async () => found } },
    ]),
    [
      'an authenticator app whose secret',
      { cognito: { ...asExpected.cognito, appOfTwoTokens: async () => 'EnableSoftwareTokenMFAException' } },
    ],
    [
      'the session of a sign-in through our API',
      { cognito: { ...asExpected.cognito, publicAnswerToAdminChallenge: async () => 'signed in' } },
    ],
    [
      'Cognito’s public operations',
      {
        cognito: {
          ...asExpected.cognito,
          publicOperations: async () => ({ SignUp: 'NotAuthorizedException', ForgotPassword: 'answered' }),
        },
      },
    ],
    ['the policy of the evidence bucket', { evidence: { ...asExpected.evidence, put: async () => 'AccessDenied' } }],
    ['the policy of the evidence bucket', { evidence: { ...asExpected.evidence, beginInParts: async () => 'done' } }],
    [
      'an authenticator app can',
      { cognito: { ...asExpected.cognito, deleteApp: async () => ['deleted', 'deleted', 'SOFTWARE_TOKEN_MFA'] } },
    ],
    [
      'an authenticator app can',
      { cognito: { ...asExpected.cognito, deleteApp: async () => ['AccessDeniedException'] } },
    ],
    ['the API’s unchanged template', { followReplacement: async () => ({ before: 'old', has: 'old', should: 'new' }) }],
    [
      'the API’s unchanged template',
      { followReplacement: async () => ({ before: 'same', has: 'same', should: 'same' }) },
    ],
    [
      'a refresh token of the admin flow',
      { cognito: { ...asExpected.cognito, renew: async () => ['not rotated', 'renewed again within the grace'] } },
    ],
    ['a second deployment', { webAclOfStage: async () => null }],
  ];

  test.each(changed)('%s', async (what, more) => {
    expect(await runProbe(accountOf({ ...asExpected, ...more }), names, templates, log)).toBe(false);
    expect(failing()).toEqual([expect.stringContaining(what)]);
    expect([...there]).toEqual([]);
  });

  test('every case is among these, or below', () => {
    const told = [...changed.map(([what]) => what), 'a metered route'];
    for (const { what } of cases)
      expect(
        told.some((each) => what.startsWith(each)),
        what,
      ).toBe(true);
  });

  test('a check that throws is a case that fails, and the others are checked', async () => {
    const redeploy = async () => {
      throw new Error('no such thing');
    };
    expect(await runProbe(accountOf({ ...asExpected, redeploy }), names, templates, log)).toBe(false);
    expect(failing()).toEqual([expect.stringContaining('Error: no such thing')]);
    expect([...there]).toEqual([]);
  });
});

describe('whom the usage plan limits', () => {
  const told = async (more: Partial<Probed>) => {
    await runProbe(accountOf({ ...asExpected, ...more }), names, templates, log);
    return lines.filter((line) => /a metered route|requires no key/.test(line));
  };
  const all = (answer: Metered) => (calls: number) => Array.from({ length: calls }, () => answer);

  test('the firewall’s 429 is not the plan’s: neither case is decided by it', async () => {
    const found = await told({ burst: async (_, calls) => all(byFirewall)(calls) });
    expect(found).toEqual([
      expect.stringMatching(/^FAILS .*: 429 by firewall 40×; 429 by firewall 40×; 429 by firewall 40×$/),
      expect.stringMatching(/^FAILS .*proves nothing, as the plan limited no caller$/),
    ]);
  });

  test('a plan that is enforced late is found, after the firewall has forgotten the first calls', async () => {
    const order: string[] = [];
    const found = await told({
      burst: async (path, calls) => {
        order.push(path);
        return order.length === 1 ? all(passed)(calls) : metering(path, calls);
      },
      firewallsMinute: async () => void order.push('minute'),
    });
    expect(order).toEqual(['/metered', 'minute', '/metered', 'minute', '/metered', '/unmetered']);
    expect(found.map((line) => line.slice(0, 5))).toEqual(['holds', 'holds']);
  });

  test('where nothing came through, nothing is said of the route without a key', async () => {
    const found = await told({
      burst: async (path, calls) =>
        path === '/metered' ? metering(path, calls) : all({ status: 0, refusedBy: null })(calls),
    });
    expect(found[1]).toMatch(/^FAILS .*not metered: 0 40×; proves nothing, as too few requests were let through$/);
  });

  test('no round of calls is more than the firewall lets through in its minute', async () => {
    let calls = 0;
    const most: number[] = [];
    await told({
      burst: async (path, more) => {
        calls += more;
        most.push(calls);
        return metering(path, more);
      },
      firewallsMinute: async () => {
        calls = 0;
      },
    });
    expect(Math.max(...most)).toBeLessThanOrEqual(addressLimit.requests - 10);
  });
});

describe('deleting', () => {
  const failing = (name: string) => async (asked: string) => {
    if (asked === name) throw new Error('Throttling');
    there.delete(asked);
    return [];
  };

  test.each(['ProbeApi', 'ProbeState'])('what %s’s deletion throws does not keep the other', async (name) => {
    let isOver = false;
    const redeploy = async () => {
      isOver = true;
    };
    const account = accountOf({ ...asExpected, redeploy });
    const remove: ProbeAccount['remove'] = async (asked) => (isOver ? failing(name)(asked) : account.remove(asked));
    expect(await runProbe({ ...account, remove }, names, templates, log)).toBe(false);
    expect([...there]).toEqual([name]);
    expect(lines.at(-1)).toMatch(new RegExp(`^LEFT {3}${name}: Error: Throttling; aws cloudformation delete-stack`));
  });

  test('what an earlier run left and cannot be deleted is not built upon', async () => {
    there.add('ProbeApi');
    const deploy = () => Promise.reject(new Error('deployed'));
    const account = accountOf(asExpected, { deploy, remove: failing('ProbeApi') });
    expect(await runProbe(account, names, templates, log)).toBe(false);
    expect(lines.join('\n')).toContain('an earlier probe could not be deleted: ProbeApi: Error: Throttling');
    expect(lines.join('\n')).not.toContain('Error: deployed');
  });

  test('cleaning up makes nothing, says what is left, and goes on where it ended', async () => {
    for (const name of Object.values(names)) there.add(name);
    const deploy = () => Promise.reject(new Error('deployed'));
    expect(await cleanUp(accountOf(asExpected, { deploy, remove: failing('ProbeApi') }), names, log)).toBe(false);
    expect([...there]).toEqual(['ProbeApi']);
    expect(await cleanUp(accountOf(asExpected, { deploy }), names, log)).toBe(true);
    expect([...there]).toEqual([]);
    expect(lines.at(-1)).toMatch(/^nothing is left/);
  });
});

test('a stack that cannot be made is the one case, with CloudFormation’s reason', async () => {
  const deploy = async (name: string) => {
    there.add(name);
    return name === 'ProbeApi' ? ['Api (AWS::ApiGateway::RestApi): Warnings found during import'] : [];
  };
  expect(await runProbe(accountOf(asExpected, { deploy }), names, templates, log)).toBe(false);
  expect(failing()).toEqual([expect.stringContaining('Warnings found during import')]);
  expect([...there]).toEqual([]);
});

test.each(['ProbeState', 'ProbeApi'])('of a young %s, which may be at work, nothing is touched', async (young) => {
  for (const name of Object.values(names)) there.add(name);
  const at = new Date(Date.now() - 29 * 60_000);
  const { made: long } = accountOf(asExpected);
  const deploy = () => Promise.reject(new Error('deployed'));
  const account = accountOf(asExpected, { deploy, made: async (name) => (name === young ? at : long(name)) });
  expect(await runProbe(account, names, templates, log)).toBe(false);
  expect([...there]).toEqual(Object.values(names));
  expect(lines).toEqual([expect.stringContaining(`REFUSED: ${young}, made at ${at.toISOString()}, may be another`)]);
  expect(lines[0]).toContain('--clean-up');
  expect(await cleanUp(account, names, log)).toBe(true);
  expect([...there]).toEqual([]);
});

test('what an earlier run left is deleted before', async () => {
  there.add('ProbeApi');
  const order: string[] = [];
  const account = accountOf(asExpected);
  const deploy: ProbeAccount['deploy'] = async (name, template) => {
    order.push(`${name} ${there.has(name)}`);
    return account.deploy(name, template);
  };
  await runProbe({ ...account, deploy }, names, templates, log);
  expect(order).toEqual(['ProbeState false', 'ProbeApi false']);
});

test.each([0, 1, 2, 3, 4, 5])('ended after %i steps, it deletes what was made', async (steps) => {
  const ended = new AbortController();
  const account = accountOf(asExpected);
  let left = steps;
  const step = <T>(value: T): T => {
    if (left-- === 0) ended.abort();
    return value;
  };
  const counted: ProbeAccount = {
    ...account,
    deploy: async (name, template) => step(await account.deploy(name, template)),
    probed: async () => step({ ...asExpected, invoke: async (payload) => step(await asExpected.invoke(payload)) }),
  };
  expect(await runProbe(counted, names, templates, log, ended.signal)).toBe(left >= 0);
  expect([...there]).toEqual([]);
});

test('what could not be deleted is named, with the command that does', async () => {
  const remove = async (name: string) => (name === 'ProbeState' && there.has(name) ? ['Key: denied'] : []);
  expect(await runProbe(accountOf(asExpected, { remove }), names, templates, log)).toBe(false);
  expect(failing()).toEqual([expect.stringMatching(/^LEFT {3}Key: denied; aws cloudformation delete-stack/)]);
});

test('each decision that leaves something to AWS names the probe, and no other list is kept', () => {
  const folder = new URL('../../docs/decisions/', import.meta.url).pathname;
  const pages = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  for (const { decision, what } of [...cases, ...unprobed]) {
    const page = pages.find(([file]) => file.startsWith(`${decision}`.padStart(4, '0')));
    expect(page?.[1], what).toContain('--probe');
  }
  for (const [file, text] of pages) expect(text, file).not.toMatch(/to be confirmed|should confirm/i);
});

test('whatever a decision leaves to be seen on AWS is a case, or named with the reason why it is none', () => {
  const folder = new URL('../../docs/decisions/', import.meta.url).pathname;
  const leaves =
    /to be seen\b|first real deploy|has not run on AWS|ran on AWS|the first one from `dev`|by hand in `dev`|--probe\b/i;
  const leaving = readdirSync(folder).flatMap((file) =>
    leaves.test(readFileSync(join(folder, file), 'utf8')) ? [Number.parseInt(file, 10)] : [],
  );
  expect(leaving.length).toBeGreaterThan(5);
  const listed = new Set([...cases, ...unprobed].map(({ decision }) => decision));
  expect(leaving.filter((decision) => !listed.has(decision))).toEqual([]);
  for (const { what, why } of unprobed) expect(why.length, what).toBeGreaterThan(10);
});
