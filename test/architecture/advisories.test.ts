import { describe, expect, test } from 'vitest';
import { type Advisory, dueOn, exceptionsIn, findings, purlOf, riskIn } from '../../bin/advisories.ts';
import { affectedBy, OsvUnavailable } from '../../bin/osv.ts';

const deployed = { name: '@scope/thing', version: '1.0.0', isDeployed: true };
const tool = { name: 'tool', version: '2.0.0', isDeployed: false };
const advisory = (severity?: string, more: Partial<Advisory> = {}): Advisory => ({
  id: 'GHSA-aaaa',
  published: '2026-11-01T09:00:00Z',
  ...(severity !== undefined && { database_specific: { severity } }),
  ...more,
});

test.each([
  ['CRITICAL', 'critical', '2026-11-04', '2026-11-07'],
  ['HIGH', 'high', '2026-11-15', '2026-11-29'],
  ['MODERATE', 'medium', '2026-12-31', '2027-03-01'],
  ['LOW', 'low', '2026-12-31', '2026-12-31'],
  // None is stated.
  [undefined, 'high', '2026-11-15', '2026-11-29'],
])(
  'an advisory of %s is %s: it is due on %s where it is deployed, and on %s in tools',
  (severity, risk, ours, tools) => {
    const one = advisory(severity);
    expect([riskIn(one), dueOn(one, true), dueOn(one, false)]).toEqual([risk, ours, tools]);
  },
);

test('a malicious package is exploited already, whatever the advisory states', () => {
  expect(riskIn(advisory('LOW', { id: 'MAL-2026-1' }))).toBe('critical');
});

describe('what is found', () => {
  const states = (today: string, exceptions: Parameters<typeof findings>[1] = [], more: Partial<Advisory> = {}) =>
    findings([{ of: deployed, advisories: [advisory('HIGH', more)] }], exceptions, today).map(({ state }) => state);
  const exception = { advisory: 'GHSA-aaaa', package: '@scope/thing', until: '2026-12-24' };

  test('is open until its day, and a breach from the next day on', () => {
    expect([states('2026-11-15'), states('2026-11-16')]).toEqual([['open'], ['breach']]);
  });

  test('is excepted until the exception’s day, and not after it', () => {
    expect([states('2026-12-24', [exception]), states('2026-12-25', [exception])]).toEqual([['excepted'], ['breach']]);
  });

  test('is excepted by another name of the advisory, but not for another package', () => {
    const byCve = { ...exception, advisory: 'CVE-2026-1' };
    expect(states('2026-11-20', [byCve], { aliases: ['CVE-2026-1'] })).toEqual(['excepted']);
    expect(states('2026-11-20', [{ ...exception, package: 'tool' }])).toEqual(['breach']);
  });

  test('is not what was withdrawn', () => {
    expect(states('2026-12-31', [], { withdrawn: '2026-11-02T00:00:00Z' })).toEqual([]);
  });
});

test('an exception is a row with a day', () => {
  const page = `
| advisory | package | reason, and what limits the risk | decided by | until |
| --- | --- | --- | --- | --- |
| \`GHSA-aaaa\` | \`thing\` | not reachable | AB | 2026-12-24 |
| GHSA-bbbb | thing | for good | AB | |
| GHSA-cccc | thing | soon | AB | 2026-13-99 |
`;
  expect(exceptionsIn(page)).toEqual([{ advisory: 'GHSA-aaaa', package: 'thing', until: '2026-12-24' }]);
});

describe('OSV', () => {
  test('is asked by purl, page by page, and once about each advisory', async () => {
    const asked: unknown[] = [];
    const answers: Record<string, unknown> = {
      '["pkg:npm/%40scope/thing@1.0.0","pkg:npm/tool@2.0.0"]': {
        results: [{ vulns: [{ id: 'GHSA-aaaa' }], next_page_token: 'more' }, {}],
      },
      '["pkg:npm/%40scope/thing@1.0.0 more"]': { results: [{ vulns: [{ id: 'GHSA-aaaa' }, { id: 'GHSA-bbbb' }] }] },
      'vulns/GHSA-aaaa': advisory('HIGH'),
      'vulns/GHSA-bbbb': advisory('LOW', { id: 'GHSA-bbbb' }),
    };
    const ask = async (path: string, body?: object) => {
      const { queries = [] } = (body ?? {}) as { queries?: { package: { purl: string }; page_token?: string }[] };
      const said = queries.map((each) => [each.package.purl, each.page_token].filter(Boolean).join(' '));
      const question = body ? JSON.stringify(said) : path;
      asked.push(question);
      return answers[question];
    };
    expect(purlOf(deployed)).toBe('pkg:npm/%40scope/thing@1.0.0');
    expect(await affectedBy([deployed, tool], ask)).toEqual([
      { of: deployed, advisories: [answers['vulns/GHSA-aaaa'], answers['vulns/GHSA-bbbb']] },
      { of: tool, advisories: [] },
    ]);
    expect(asked).toEqual(Object.keys(answers));
  });

  test('whose answer does not fit is not taken for a clean one', async () => {
    await expect(affectedBy([deployed, tool], async () => ({ results: [{}] }))).rejects.toThrow(OsvUnavailable);
    await expect(affectedBy([deployed], async () => ({}))).rejects.toThrow(OsvUnavailable);
  });
});
