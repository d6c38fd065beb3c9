import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Backend, printedLine, startBackend } from '../lib/local/index.ts';
import { seed } from './seed.ts';
import { stageSettings } from './settings.ts';
import { synthesize } from './stage.ts';

/** `npm run invoke -- <operation> --event test/events/<file>.json`: runs one function once, without the gateway. */

const usage = 'npm run invoke -- <operation> --event <file.json> [--application sleepcare] [--dry-run]';
/** Any other operation would ignore the option, and act. */
const dryOperations = ['send-test-push'];
let backend: Backend | undefined;

try {
  process.exitCode = await invoke();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await backend?.close();
}

/** @returns the exit code */
async function invoke(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { event: { type: 'string' }, application: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  });
  const [operation, ...more] = positionals;
  if (values['dry-run'] && !dryOperations.includes(operation ?? '')) {
    throw new Error(`--dry-run is only for ${dryOperations.join(', ')}`);
  }
  const read = values.event === undefined ? {} : JSON.parse(await readFile(values.event, 'utf8'));
  const event = values['dry-run'] ? dry(read) : read;
  backend = await startBackend(await synthesize('dev'), {
    ...stageSettings({ ...process.env, PORT: undefined }),
    seed,
    onLog: (fn, _, line) => console.error(printedLine(fn, line)),
  });
  const { functions } = backend.model();
  const chosen = functions.find(
    ({ operation: name, environment }) =>
      name === operation && (values.application ?? environment.APPLICATION) === environment.APPLICATION,
  );
  if (!operation || more.length > 0 || !chosen) {
    const known = functions.map(
      ({ operation, environment }) => `  ${operation} --application ${environment.APPLICATION}`,
    );
    const problem = operation
      ? `there is no operation ${[operation, ...more].join(' ')} of that application`
      : 'no operation given';
    console.error([`${problem}; ${usage}`, ...known.sort()].join('\n'));
    return 1;
  }
  const result = await backend.invoke(chosen.arn, event);
  if (!result.ok) {
    console.error([`${result.errorType}: ${result.errorMessage}`, ...result.trace].join('\n'));
    return 1;
  }
  console.log(JSON.stringify(values['dry-run'] ? bodyOf(result.payload) : result.payload, null, 2));
  return 0;
}

/** The same request as a dry run. The answer shows what would be sent. */
function dry(event: { body?: string | null }) {
  return { ...event, body: JSON.stringify({ ...JSON.parse(event.body || '{}'), dryRun: true }) };
}

/** The body of the answer is a string within JSON, which is hard to read. So it is printed as JSON. */
function bodyOf(payload: unknown): unknown {
  const { body } = Object(payload);
  return typeof body === 'string' ? JSON.parse(body) : payload;
}
