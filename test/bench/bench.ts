import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { seedCatalogues } from '../../functions/agreements/seed/seed.ts';
import { type TableName, tables, tableVariable } from '../../lib/contract/tables.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { dynamo } from '../../lib/runtime/clients.ts';
import { bundle, functionEntries } from '../../lib/stack/bundle.ts';
import { createTables } from '../tables.ts';
import { bareAgree, bareList, bareRevoke } from './bare.ts';
import { delivery } from './delivery.ts';

/**
 * `npm run bench`: what each function weighs, what loading it costs against an empty handler, and what list, agree and
 * revoke cost against the bare SDK calls that they need, everything in one run, interleaved, medians: only the ratios
 * mean something on another machine. At last, how fast a whole local stage delivers pushes.
 */

const rounds = { load: 11, warm: 400, warmUp: 100 };
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const fixed = (value: number, digits = 2) => value.toFixed(digits).padStart(8);

async function main(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString()}\n`);
  await bundle({ outdir: folder });
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });');
  loading(empty);
  await warm();
  await delivery();
}

/** A fresh process for each load: CPU milliseconds of the import, and the time on the clock. */
function load(file: string): { cpu: number; wall: number } {
  const script = `const c=process.cpuUsage(),t=performance.now();await import(${JSON.stringify(pathToFileURL(file).href)});
    const w=performance.now()-t,u=process.cpuUsage(c);console.log(JSON.stringify({cpu:(u.user+u.system)/1000,wall:w}))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

function loading(empty: string): void {
  const files = new Map([['(empty)', empty]]);
  // The control: the same measurement of the same file, to tell a difference from noise.
  files.set('(empty again)', empty);
  for (const { name } of functionEntries()) files.set(name, join(folder, name, 'index.mjs'));
  const measured = new Map([...files.keys()].map((name) => [name, [] as { cpu: number; wall: number }[]]));
  for (let round = 0; round < rounds.load; round += 1) {
    for (const [name, file] of files) measured.get(name)?.push(load(file));
  }
  const cpuOfEmpty = median((measured.get('(empty)') ?? []).map(({ cpu }) => cpu));
  console.log(`Loading, median of ${rounds.load} fresh processes\n`);
  console.log('| function | KiB | CPU ms | clock ms | more CPU than empty, ms |\n|---|---|---|---|---|');
  for (const [name, file] of files) {
    const runs = measured.get(name) ?? [];
    const cpu = median(runs.map((run) => run.cpu));
    const wall = median(runs.map((run) => run.wall));
    const row = [fixed(statSync(file).size / 1024, 1), fixed(cpu), fixed(wall), fixed(cpu - cpuOfEmpty)];
    console.log(`| ${name.padEnd(20)} | ${row.join(' | ')} |`);
  }
}

async function warm(): Promise<void> {
  const database = await startDynamoDb();
  const names = Object.keys(tables) as TableName[];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: database.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    ENVIRONMENT: 'dev',
    APPLICATION: 'sleepcare',
    CURSOR_KEY: 'bench',
    ...Object.fromEntries(names.map((name) => [tableVariable(name), name])),
  });
  // The functions log to the standard output: it is measured, and not printed.
  const write = process.stdout.write.bind(process.stdout);
  const bare = dynamo();
  await createTables(bare, names);
  await seedCatalogues(bare, 'Agreements');

  const handlers = Object.fromEntries(
    await Promise.all(
      ['list-agreements', 'agree', 'revoke-consent'].map(async (name) => {
        const { handler } = await import(pathToFileURL(join(folder, name, 'index.mjs')).href);
        return [name, (asked: APIGatewayProxyEvent) => handler(asked).then(assertDone)];
      }),
    ),
  );
  const user = randomUUID();
  const twin = randomUUID();
  const work: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['list-agreements', () => handlers['list-agreements'](event(user)), () => bareList(bare, twin)],
    ['agree', () => handlers.agree(event(user, { versionId: 'marketing-1.0' })), () => bareAgree(bare, twin)],
    [
      'revoke-consent',
      () => handlers['revoke-consent'](event(user, { agreementId: 'marketing' })),
      () => bareRevoke(bare, twin),
    ],
  ];
  const times = new Map<string, number[]>();
  const timed = async (name: string, call: () => Promise<unknown>, counts: boolean) => {
    const started = performance.now();
    await call();
    if (counts) times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
  };
  process.stdout.write = () => true;
  for (let round = -rounds.warmUp; round < rounds.warm; round += 1) {
    for (const [name, ours, theirs] of work) {
      const turns: [string, () => Promise<unknown>][] = [
        [name, ours],
        [`bare ${name}`, theirs],
      ];
      // Whoever comes second finds the caches warm: they take turns at it.
      if (round % 2 === 0) turns.reverse();
      for (const [label, call] of turns) await timed(label, call, round >= 0);
      if (name === 'list-agreements') await timed('control', theirs, round >= 0);
    }
  }
  process.stdout.write = write;
  console.log(`\nWarm, median of ${rounds.warm}, over the same local DynamoDB\n`);
  console.log('| function | ms | bare SDK calls, ms | ratio |\n|---|---|---|---|');
  for (const [name] of work) {
    const ours = median(times.get(name) ?? []);
    const theirs = median(times.get(`bare ${name}`) ?? []);
    console.log(`| ${name.padEnd(20)} | ${fixed(ours, 3)} | ${fixed(theirs, 3)} | ${fixed(ours / theirs)} |`);
  }
  const control = median(times.get('control') ?? []) / median(times.get('bare list-agreements') ?? []);
  console.log(`\nThe control, bare list-agreements against itself: ${fixed(control).trim()}`);
  bare.destroy();
  await database.close();
}

/** A failure would be fast, and mean nothing. */
function assertDone(answer: APIGatewayProxyResult): void {
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode} ${answer.body}`);
}

function event(userId: string, pathParameters: Record<string, string> | null = null): APIGatewayProxyEvent {
  return {
    pathParameters,
    multiValueQueryStringParameters: null,
    multiValueHeaders: { 'accept-language': ['de'] },
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'r',
      extendedRequestId: 'r',
      authorizer: { userId, roles: 'patient', exp: '4102444800' },
    },
  } as unknown as APIGatewayProxyEvent;
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
