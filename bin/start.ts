import { deployments, seededUsers } from '../functions/product.ts';
import { assertCanStart, synthesize } from '../lib/local/early.ts';
import type { RunningStage } from '../lib/local/index.ts';
import { onNpmEnded } from './npm-process.ts';
import { productLocation } from './product-location.ts';
import { stageSettings } from './settings.ts';

const began = performance.now();
const defects = ['ReferenceError', 'RangeError', 'AssertionError'];
let stage: RunningStage | undefined;
let ending = false;

type Options = { readonly watch: boolean; readonly asDeployed: boolean; readonly rateLimit: boolean };

export async function run({ watch, asDeployed, rateLimit }: Options): Promise<void> {
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  onNpmEnded(() => end(0));
  // The reader of the output may end first, for example in `npm start | head`.
  process.stdout.on('error', () => end(0));

  try {
    const settings = stageSettings(process.env);
    await assertCanStart({ ...settings, asDeployed, watch });
    const underWay = Promise.withResolvers<void>();
    const synthesis = synthesize(productLocation, 'dev', { asDeployed, onUnderWay: underWay.resolve });
    await Promise.race([underWay.promise, synthesis]);
    // Loaded while the template and the code are made elsewhere.
    const [{ startStage }, { printedAnswer, printedLine }, { seed }, { pushOwner }] = await Promise.all([
      import('./stage.ts'),
      import('../lib/local/index.ts'),
      import('./seed.ts'),
      import('./push-owner.ts'),
    ]);
    const started = await startStage({
      ...settings,
      seed,
      pushOwner,
      synthesis,
      rateLimit,
      asDeployed,
      watch,
      log: (line) => console.log(line),
      onLog: (fn, _, line) => console.log(printedLine(fn, line)),
      onRequest: (answer) => {
        const line = printedAnswer(answer, new Date());
        if (line) console.log(line);
      },
    });
    stage = started;
    if (ending) await end(0);
    else introduce(started, watch ? ['  watching lib/ and functions/', ''] : []);
  } catch (error) {
    await fail(error);
  }
}

function introduce({ url: bound, synthesis, issuer }: RunningStage, more: readonly string[]): void {
  const url = bound.replace('//127.0.0.1:', '//localhost:');
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  const { isCached, milliseconds } = synthesis;
  const template = isCached
    ? 'nothing changed since the last start'
    : `${seconds(milliseconds)} of them for template and code`;
  const { sleepcare } = deployments;
  const [first] = seededUsers;
  const credentials = JSON.stringify({ grantType: 'password', username: first?.name, password: first?.password });
  const lines = [
    `ready ${url} after ${seconds(performance.now() - began)} (${template})`,
    '',
    ...Object.entries(deployments).map(
      ([application, { basePath }]) => `  ${application.padEnd(10)} ${url}${basePath}`,
    ),
    `  ${'user pools'.padEnd(10)} ${issuer.url} (AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER)`,
    '',
    '  to look at, with the API reference:',
    `  ${url}/_local/`,
    '',
    '  seeded users and their passwords:',
    ...seededUsers.map(({ name, application, password }) => `  ${`${name} (${application})`.padEnd(34)} ${password}`),
    '',
    '  try:',
    `  TOKEN=$(curl -s ${url}${sleepcare.basePath}/auth/tokens -H 'Content-Type: application/json' \\`,
    `    -d '${credentials}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    `  curl -H "Authorization: Bearer $TOKEN" ${url}${sleepcare.basePath}/users/agreements`,
    '',
    '  or without a password, in any role:',
    `  curl '${url}/_local/token?user=U&roles=patient&application=sleepcare'`,
    '',
    ...more,
  ];
  console.log(lines.join('\n'));
}

async function fail(error: unknown): Promise<void> {
  // An error that keeps a stage from starting explains itself in its message; the stack trace helps only with a defect.
  const isDefect = stage !== undefined || !(error instanceof Error) || defects.includes(error.name);
  console.error(isDefect ? error : error.message);
  await end(1);
}

/** Ends only once, although npm passes on the Ctrl-C that the terminal has already sent. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  // A part that does not end must not block the others. The functions' guard ends the processes that are left.
  setTimeout(() => process.exit(code), 1500).unref();
  await stage?.close().catch((error: unknown) => console.error(error));
  process.exit(code);
}
