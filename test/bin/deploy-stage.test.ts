import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Consent, type Deployment, deployStage, shown } from '../../bin/deploy-stage.ts';
import { type ReadValue, staleAmong } from '../../bin/deployed-stage.ts';
import { type StackChanges, stageChanges } from '../../bin/stage-changes.ts';

afterEach(() => vi.unstubAllEnvs());

const done: string[] = [];
const lines: string[] = [];
beforeEach(() => {
  done.length = 0;
  lines.length = 0;
});

const state = (changes: StackChanges['changes'], shared: string[] = []): StackChanges => ({
  stack: 'State',
  isNew: false,
  changes,
  shared: new Set(shared),
  routes: [],
});
const unchanged = [state([])];
/** The web ACL is made anew, and the APIs read its name. */
const replacedAcl = [
  state(
    [{ logicalId: 'WebAcl', type: 'AWS::WAFv2::WebACL', action: 'replace', properties: ['Name'], loses: null }],
    ['WebAcl'],
  ),
];
const lostTable = [
  state([
    {
      logicalId: 'Users',
      type: 'AWS::DynamoDB::Table',
      action: 'replace',
      properties: ['KeySchema'],
      loses: 'its rows',
    },
  ]),
];
const old: ReadValue = { stack: 'Medinfo', name: '/mobile-health/dev/WebAcl', value: 'old' };

function deploy(stage: readonly StackChanges[], consent: Partial<Consent> = {}, more: Partial<Deployment> = {}) {
  const deployment: Deployment = {
    where: async () => ({ account: '111122223333', region: 'eu-central-1' }),
    changes: async () => stage,
    isConfirmed: async () => Boolean(done.push(`asked after ${lines.length} lines`)),
    deploy: async () => {
      done.push(`deployed after ${lines.length} lines`);
      return 0;
    },
    stale: async () => [],
    ...more,
  };
  return deployStage(deployment, { yes: false, allowsReplacement: false, ...consent }, (line) => lines.push(line));
}

test('it says what is replaced and who follows, asks, and then deploys', async () => {
  expect(await deploy(replacedAcl)).toBe(0);
  expect(done).toEqual(['asked after 4 lines', 'deployed after 4 lines']);
  expect(lines[0]).toBe('Account 111122223333, region eu-central-1:');
  expect(lines).toContain('    replaced for Name: WebAcl (AWS::WAFv2::WebACL)');
  expect(lines[3]).toBe('The other stacks need the new names of WebAcl: deploy all stacks in the same deployment');
});

test('2: not confirmed, nothing is deployed', async () => {
  expect(await deploy(unchanged, {}, { isConfirmed: async () => false })).toBe(2);
  expect(done).toEqual([]);
});

test('1: an earlier release does not follow one that writes rows which it cannot read', async () => {
  const before = { Outputs: { RowFormat: { Value: '2' } } };
  const stacks = (own: string) => [
    {
      name: 'State',
      account: null,
      region: null,
      assets: new Map(),
      template: { Outputs: { RowFormat: { Value: own } } },
    },
  ];
  const told = (own: string) => stageChanges(stacks(own), { template: async () => before, nested: async () => null });
  expect(await deploy(await told('1'), { allowsReplacement: true })).toBe(1);
  expect(lines.at(-1)).toBe('REFUSED: the deployed release writes rows of format 2, and this one reads only 1');
  expect(await deploy(await told('2'))).toBe(0);
});

describe('what holds data', () => {
  test.each([false, true])('1: goes for no --yes: %s', async (yes) => {
    expect(await deploy(lostTable, { yes })).toBe(1);
    expect(done).toEqual([]);
    expect(lines.at(-1)).toMatch(/^REFUSED: 1 resources/);
  });

  test('0: goes where that is allowed, and is asked for all the same', async () => {
    expect(await deploy(lostTable, { allowsReplacement: true })).toBe(0);
    expect(done[0]).toMatch(/^asked/);
  });
});

test('--yes asks nothing', async () => {
  expect(await deploy(unchanged, { yes: true })).toBe(0);
  expect(done).toEqual([expect.stringMatching(/^deployed/)]);
});

describe('stacks that cannot be compared afterwards, as the credentials have expired, are reported with what was deployed', () => {
  const expired = () => Promise.reject(Object.assign(new Error('it is expired'), { name: 'ExpiredTokenException' }));

  test.each([
    [0, ['The CDK has deployed all stacks', 'deployed; could not be compared: ExpiredTokenException: it is expired']],
    [
      3,
      [
        'Not everything is deployed: the CDK exited with 3',
        'could not be compared: ExpiredTokenException: it is expired',
      ],
    ],
  ])('1: where the CDK ended with %i', async (code, [verdict = '', comparison = '']) => {
    expect(await deploy(unchanged, { yes: true }, { deploy: async () => code, stale: expired })).toBe(1);
    const [first = '', second = ''] = lines.slice(-2);
    expect([first.startsWith(verdict), second]).toEqual([true, `${comparison}; run npm run cli -- diff`]);
  });
});

test('what cannot be compared is not deployed', async () => {
  const changes = () => Promise.reject(new Error('not allowed'));
  await expect(deploy(unchanged, { yes: true }, { changes })).rejects.toThrow('not allowed');
  expect(done).toEqual([]);
});

describe('no stack stays on an old name in silence', () => {
  test.each([0, 1])('where the CDK ended with %i', async (code) => {
    const more = { deploy: async () => code, stale: async () => [old] };
    expect(await deploy(replacedAcl, { yes: true }, more)).toBe(1);
    expect(lines.some((line) => line.startsWith('STALE: Medinfo still uses an old value of /mobile'))).toBe(true);
  });

  test('a value that is another one or gone is old, the present one is not', () => {
    const [same, gone] = [
      { ...old, name: 'same' },
      { ...old, name: 'gone' },
    ];
    const current = new Map([
      ['/mobile-health/dev/WebAcl', 'new'],
      ['same', 'old'],
    ]);
    expect(staleAmong([old, same, gone], current)).toEqual([old, gone]);
  });
});

test('what loses data is red on a terminal, and plain elsewhere', () => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined);
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 4, hasColors: () => true });
  for (const line of ['  ! removed: Users (AWS::DynamoDB::Table), with its rows', 'REFUSED: 1 resources']) {
    expect(shown(line, terminal)).toBe(`\u001b[31m${line}\u001b[39m`);
    expect(shown(line, new PassThrough())).toBe(line);
  }
  expect(shown('    removed: WebAcl (AWS::WAFv2::WebACL)', terminal)).toBe('    removed: WebAcl (AWS::WAFv2::WebACL)');
});
