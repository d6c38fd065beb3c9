import { execFile } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { dependenciesOf, seed, seedMembers } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { seedCatalogues } from '../../functions/agreements/seed/seed.ts';
import { deployments, seededUsers } from '../../functions/product.ts';

/** `npm run smoke` as it is typed, against a stage that differs from the tests' own as a deployed one does. */

const root = new URL('../..', import.meta.url).pathname;
const users = seededUsers.map((user) => ({ ...user, password: `another-${user.password}` }));

/** By status: how often the stage answered. */
const answered = new Map<number, number>();

const stage = await startStage({
  users,
  // Published now: who publishes the same again later changes nothing.
  seed: async (data) => {
    await seedCatalogues(dependenciesOf(data), new Date().toISOString());
    await seed(data);
  },
  rateLimit: true,
  onRequest: ({ status }) => answered.set(status, (answered.get(status) ?? 0) + 1),
});
afterAll(() => stage?.close());

/** Of all files those that ask what differs there, and enough others for the limit of 100 a minute. */
const files = [
  'test/architecture/readme.test.ts',
  'test/consents/list-agreements.test.ts',
  'test/users/read-profile.test.ts',
  'test/users/update-profile.test.ts',
  'test/auth/issue-tokens.test.ts',
  'test/consents/agree-to-versions.test.ts',
  'test/consent-events/consent-events.test.ts',
];

function smoke(variables: Readonly<Record<string, string>>): Promise<{ code: number; out: string }> {
  const env = { ...process.env, ...variables, VITEST: '', NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'smoke', '--', ...files], { cwd: root, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: out + err }),
    );
  });
}

test('without an address it says that it needs one', async () => {
  const { code, out } = await smoke({ BASE_URL: '' });
  expect(code).not.toBe(0);
  expect(out).toContain('BASE_URL is needed');
});

test('of an empty stage it says what is missing, and how it is made', async () => {
  const empty = await startStage({ seed: seedMembers, rateLimit: false });
  try {
    const { code, out } = await smoke({ BASE_URL: `${empty.url}${deployments.sleepcare.basePath}` });
    expect(code).toBe(1);
    const content = 'npm run cli -- publish-content --stage <stage> --file functions';
    expect(out.trim().split('\n')).toEqual([
      'no receipt key is vouched for: vouch-for-receipt-keys runs each minute, and its log says why it fails',
      ...['agreement', 'course', 'questionnaire', 'bundle of questionnaires'].map((what) => `no ${what}: ${content}`),
      ...['sleepcare on ios', 'sleepcare on android', 'medinfo on ios', 'medinfo on android'].map(
        (what) => `no version policy of ${what}: ${content}`,
      ),
    ]);
  } finally {
    await empty.close();
  }
});

test('passes against a stage with its limits on, other passwords and a catalogue of now; it waits where it is refused', {
  timeout: 600_000,
}, async () => {
  const passwords = Object.fromEntries(
    users
      .filter(({ roles }) => roles.length === 1)
      .flatMap(({ name, password, roles: [role = ''] }) => [
        [`${role.toUpperCase()}_USERNAME`, name],
        [`${role.toUpperCase()}_PASSWORD`, password],
      ]),
  );
  const { code, out } = await smoke({ BASE_URL: `${stage.url}${deployments.sleepcare.basePath}`, ...passwords });
  expect(out).not.toMatch(/^.* FAIL .*$/m);
  expect(code).toBe(0);
  // Those that look into the tests' own stage, or type its passwords.
  expect(out).toMatch(/\d+ passed \| [1-9]\d* skipped/);
  expect(answered.get(429)).toBeGreaterThan(0);
});
