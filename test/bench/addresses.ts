import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { deployments } from '../../functions/product.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { newAddress } from '../mails.ts';
import type { Section } from './report.ts';
import { mannWhitney, median } from './statistics.ts';

/**
 * Whether the time of an answer tells a stranger which addresses have an account. Each request begins when the mail queue is empty: on
 * a laptop `send-mail` would take the processor from the next request, and it has more to do for some addresses than for others.
 */

const kinds = ['known', 'unknown', 'unknown again'] as const;
type Kind = (typeof kinds)[number];

type Addresses = Readonly<Record<Kind, readonly string[]>>;
type Request = { readonly name: string; readonly path: string; readonly more?: object; readonly isAskedFor?: true };

const password = 'a-long-new-passphrase';
const guess = { code: '000000', password };
const reset = { path: '/auth/password/reset', more: guess };
const requests: readonly Request[] = [
  { name: 'sign-up', path: '/users' },
  { name: 'forgotten password', path: '/auth/password/forgot' },
  { name: 'reset, no code was requested', ...reset },
  { name: 'reset, a code was requested before', ...reset, isAskedFor: true },
];
const warmUp = 10;
/** A code takes five tries. */
const usesOfAddress = 5;
/** Below it the times differ by more than chance. By chance one run in 25 has such a row. */
const level = 0.01;

export async function addresses({ rounds }: { readonly rounds: number }): Promise<Section> {
  const stage = await startStage({ rateLimit: false, initWork: false, seed, onLog: () => undefined });
  try {
    const rows: string[][] = [];
    for (const request of requests) rows.push(rowOf(request.name, await timesOf(stage, request, rounds)));
    return {
      title: 'Known and unknown addresses',
      text: `${rounds} interleaved requests of each kind on a local stage. Each request begins when the mail queue is empty. Medians in ms. The share says how often the answer to a known address is the slower one of two answers: at 50 % the time says nothing. p is the two-sided Mann–Whitney test: below ${level} the times differ, and the row is bold. The control compares unknown addresses with other unknown addresses.`,
      tables: [
        {
          head: ['request', ...kinds, 'known slower', 'p', 'control: slower', 'control: p'],
          rows,
        },
      ],
    };
  } finally {
    await stage.close();
  }
}

async function timesOf(stage: RunningStage, { name, path, more, isAskedFor }: Request, rounds: number) {
  const asked = await prepared(stage, Math.ceil((rounds + warmUp) / usesOfAddress));
  const answers = new Set<string>();
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds + warmUp; round += 1) {
    // By lot, so that no kind always follows the same other one.
    const order = kinds.map((kind) => ({ kind, lot: Math.random() })).toSorted((one, other) => one.lot - other.lot);
    for (const { kind } of order) {
      const email = asked[kind][Math.floor(round / usesOfAddress)];
      if (isAskedFor && round % usesOfAddress === 0) await post(stage, '/auth/password/forgot', { email });
      await stage.idle();
      const began = performance.now();
      const { status, text } = await post(stage, path, { email, ...more });
      if (round >= warmUp) times.get(kind)?.push(performance.now() - began);
      answers.add(`${status} ${text}`);
    }
  }
  if (answers.size !== 1) throw new Error(`${name} has different answers: ${[...answers].join(', ')}`);
  return times;
}

/** All addresses have asked for an account, so that they have been used alike; those that are known have one. */
async function prepared(stage: RunningStage, count: number): Promise<Addresses> {
  const of = () => Array.from({ length: count }, newAddress);
  const made = { known: of(), unknown: of(), 'unknown again': of() };
  for (const email of Object.values(made).flat()) await post(stage, '/users', { email });
  await stage.idle();
  const codes = new Map(stage.ses?.mails().map(({ to, code }) => [to, code]));
  for (const email of made.known) {
    const body = { email, code: codes.get(email), password, birthYear: 1980 };
    const { status, text } = await post(stage, '/users/verify', body);
    if (status !== 200) throw new Error(`no account: ${status} ${text}`);
  }
  return made;
}

function rowOf(name: string, times: ReadonlyMap<Kind, readonly number[]>): string[] {
  const of = (kind: Kind) => times.get(kind) ?? [];
  const [tested, control] = [mannWhitney(of('known'), of('unknown')), mannWhitney(of('unknown again'), of('unknown'))];
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const cells = [
    name,
    ...kinds.map((kind) => median(of(kind)).toFixed(2)),
    ...[tested, control].flatMap(({ share, p }) => [percent(share), p.toFixed(3)]),
  ];
  return tested.p < level ? cells.map((cell) => `**${cell}**`) : cells;
}

async function post({ url }: RunningStage, path: string, body: object) {
  const answer = await fetch(`${url}${deployments.sleepcare.basePath}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}
