import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { createUser, generated } from '../bin/create-user.ts';
import { stageAccess } from '../bin/stage-access.ts';
import { deployments } from '../functions/product.ts';
import { settings } from '../functions/settings.ts';
import type { Application, Environment } from '../lib/contract/register.ts';
import { allFiles, closureOf } from './verify/reach.ts';

/** What `npm run smoke` asks a stage first: what it lacks, with the command that makes it, and what of the tests it cannot answer. */

export type Asked = {
  readonly bases: Readonly<Record<Application, string>>;
  /** Prints a token, as test/api.ts says; absent for a local stage. */
  readonly tokenCommand?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
};

const publish = 'npm run cli -- publish-content --stage <stage> --file functions';
const people = { PATIENT: 'sleepcare', PHYSICIAN: 'medinfo', ADMIN: 'medinfo' } as const;

/** @returns a line for each thing */
export async function missingIn({ bases, tokenCommand, env }: Asked): Promise<string[]> {
  const token = (application: Application, roles: string) => tokenOf({ bases, tokenCommand, env }, application, roles);
  const [patient, admin] = await Promise.all([token('sleepcare', 'patient'), token('medinfo', 'admin')]);
  const items = async (application: Application, path: string, bearer?: string) => {
    const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${bases[application]}${path}`, { headers });
    if (!answer.ok && answer.status !== 404)
      throw new Error(`GET ${path} answers ${answer.status}: TOKEN_COMMAND has to print a token that is let in`);
    // biome-ignore lint/suspicious/noExplicitAny: three routes' answers have three shapes.
    const body: any = answer.ok ? await answer.json() : {};
    return (body.items ?? body.keys ?? [body.revision]).filter(Boolean).length as number;
  };
  const wanted: [what: string, how: string, count: Promise<number>][] = [
    [
      'no receipt key is vouched for',
      'vouch-for-receipt-keys runs each minute, and its log says why it fails',
      items('sleepcare', '/.well-known/jwks.json'),
    ],
    ['no agreement', publish, items('sleepcare', '/users/agreements', patient)],
    ['no course', publish, items('sleepcare', '/learning/courses', patient)],
    ['no questionnaire', publish, items('medinfo', '/questionnaires', admin)],
    ['no bundle of questionnaires', publish, items('medinfo', '/admin/questionnaires/bundles', admin)],
    ...(Object.keys(deployments) as Application[]).flatMap((application) =>
      ['ios', 'android'].map((platform): [string, string, Promise<number>] => [
        `no version policy of ${application} on ${platform}`,
        publish,
        items('medinfo', `/mobile/app-version/policies/${application}/${platform}`, admin),
      ]),
    ),
  ];
  const found = await Promise.all(
    wanted.map(async ([what, how, count]) => ((await count) > 0 ? [] : [`${what}: ${how}`])),
  );
  const unnamed = tokenCommand === undefined ? [] : unnamedIn(env);
  return [
    ...found.flat(),
    ...unnamed.map(
      (who) => `no ${who}_USERNAME and ${who}_PASSWORD: npm run cli -- create-user --stage <stage> --help`,
    ),
  ];
}

/** Undefined for a local stage, which gives tokens itself. */
export async function tokenCommandFor(base: string): Promise<string | undefined> {
  if (await isLocal(base)) return undefined;
  const wanted = ['user', 'application', 'client'].map((name) => `--${name} "$TOKEN_${name.toUpperCase()}"`);
  // An option has a value.
  return `npm run -s cli -- token --stage ${await environmentOf(base)} ${wanted.join(' ')} --roles "\${TOKEN_ROLES:-none}"`;
}

/** Who signs in with a password and is not named, made anew where the stage is for tests. @returns their variables */
export async function peopleFor(base: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const unnamed = unnamedIn(env);
  if (unnamed.length === 0 || (await isLocal(base))) return {};
  const stage = await environmentOf(base);
  if (settings[stage].keepsData) return {};
  const access = await stageAccess({ stage });
  const made = unnamed.map(async (who) => {
    const email = `${randomUUID()}@smoke.example.com`;
    const password = generated(email);
    const roles = [who.toLowerCase()];
    await createUser(access, people[who], { email, password, roles, isPermanent: true });
    return { [`${who}_USERNAME`]: email, [`${who}_PASSWORD`]: password };
  });
  return Object.assign({}, ...(await Promise.all(made)));
}

function unnamedIn(env: NodeJS.ProcessEnv): (keyof typeof people)[] {
  const all = Object.keys(people) as (keyof typeof people)[];
  return all.filter((who) => !env[`${who}_USERNAME`] || !env[`${who}_PASSWORD`]);
}

async function isLocal(base: string): Promise<boolean> {
  return (await fetch(new URL('/_local/access', base))).ok;
}

async function environmentOf(base: string): Promise<Environment> {
  return ((await (await fetch(`${base}/health`)).json()) as { environment: Environment }).environment;
}

async function tokenOf({ bases, tokenCommand, env }: Asked, application: Application, roles: string): Promise<string> {
  if (tokenCommand === undefined) {
    const query = new URLSearchParams({ user: randomUUID(), roles, application, client: 'mobile-app' });
    const answer = await fetch(new URL(`/_local/token?${query}`, bases[application]));
    if (!answer.ok) throw new Error(`the local stage gives no token: ${answer.status}`);
    return answer.text();
  }
  const wanted = {
    TOKEN_USER: randomUUID(),
    TOKEN_ROLES: roles,
    TOKEN_APPLICATION: application,
    TOKEN_CLIENT: 'mobile-app',
  };
  return (await promisify(execFile)('sh', ['-c', tokenCommand], { env: { ...env, ...wanted } })).stdout.trim();
}

/** The files whose tests need what the stage does not show, with the reason. */
export async function leftOut(asked: Asked, files: readonly string[]): Promise<Map<string, string>> {
  if (await isLocal(asked.bases.sleepcare)) return new Map();
  const all = allFiles();
  const isConnected = await hasPushPlatform(asked);
  return new Map(
    files.flatMap((file): [string, string][] => {
      if (closureOf([file], all).has('test/mails.ts')) return [[file, 'only a local stage shows its mails']];
      const isRefused = file === 'test/devices/refused.test.ts' && !isConnected;
      return isRefused ? [[file, 'no push platform is connected: npm run cli -- push-connect --help']] : [];
    }),
  );
}

/** Without one the stage keeps a phone's token as it comes, and nobody checks it. */
async function hasPushPlatform(asked: Asked): Promise<boolean> {
  const phone = {
    platform: 'ios',
    environment: 'production',
    token: '5'.repeat(64),
    appVersion: '1.0.0',
    locale: 'en',
  };
  const answer = await fetch(`${asked.bases.sleepcare}/users/me/devices/smoke`, {
    method: 'PUT',
    headers: {
      Authorization: `Bearer ${await tokenOf(asked, 'sleepcare', 'patient')}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(phone),
  });
  const { status } = (await answer.json()) as { status?: string };
  return answer.ok && status !== 'unconnected';
}
