import { readFile } from 'node:fs/promises';
import { type Backend, printedLine, startBackend } from '../lib/local/index.ts';
import { seed } from './seed.ts';
import { stageSettings } from './settings.ts';
import { synthesize } from './stage.ts';

/** Any other operation would ignore the option, and act. */
const dryOperations = ['send-test-push'];

type Options = { readonly event?: string; readonly application?: string; readonly dryRun: boolean };

export async function run(operation: string | undefined, options: Options): Promise<void> {
  if (options.dryRun && !dryOperations.includes(operation ?? '')) {
    throw new Error(`--dry-run is only for ${dryOperations.join(', ')}`);
  }
  const read = options.event === undefined ? {} : JSON.parse(await readFile(options.event, 'utf8'));
  const backend = await startBackend(await synthesize('dev'), {
    ...stageSettings({ ...process.env, PORT: undefined }),
    seed,
    onLog: (fn, _, line) => console.error(printedLine(fn, line)),
  });
  try {
    await invoke(backend, operation, options.dryRun ? dry(read) : read, options);
  } finally {
    await backend.close();
  }
}

async function invoke(
  backend: Backend,
  operation: string | undefined,
  event: unknown,
  options: Options,
): Promise<void> {
  const { functions } = backend.model();
  const chosen = functions.find(
    ({ operation: name, environment }) =>
      name === operation && (options.application ?? environment.APPLICATION) === environment.APPLICATION,
  );
  if (!chosen) {
    const known = functions.map(
      ({ operation: name, environment }) => `  ${name} --application ${environment.APPLICATION}`,
    );
    const problem = operation
      ? `there is no operation ${operation} of that application`
      : 'name one of these operations';
    throw new Error([problem, ...known.sort()].join('\n'));
  }
  const result = await backend.invoke(chosen.arn, event);
  if (!result.ok) throw new Error([`${result.errorType}: ${result.errorMessage}`, ...result.trace].join('\n'));
  console.log(JSON.stringify(options.dryRun ? bodyOf(result.payload) : result.payload, null, 2));
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
