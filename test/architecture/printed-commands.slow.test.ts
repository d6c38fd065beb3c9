import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hangMs } from '../hang.ts';
import { argumentsOf, printedCommands, scriptOf } from './printed-commands.ts';

/**
 * The commands of the documents and those that a tool prints, typed as they stand, against an AWS that refuses everything:
 * an error in a command is reported before the first call; a later report is AWS's refusal.
 */

const root = new URL('../..', import.meta.url).pathname;

const server = createServer((request, response) => {
  request.resume();
  const isXml = !request.headers['x-amz-target'];
  const refusal = isXml
    ? '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>refused here</Message></Error></ErrorResponse>'
    : JSON.stringify({ __type: 'AccessDeniedException', message: 'refused here' });
  response.writeHead(403, { 'Content-Type': isXml ? 'text/xml' : 'application/x-amz-json-1.1', Connection: 'close' });
  response.end(refusal);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** They have tests of their own that type them, or reach nothing. */
const others =
  /^(start|test|check|bench|smoke|new-domain|generate|sbom|licences|format|invoke|token|capacity|cost|explore|verify|cli|trace)/;
/** What is said in a comment or a decision is often a part of a command. */
const isForPeople = (file: string) =>
  /^(README|docs\/(?!decisions)|lib\/local\/README)/.test(file) ||
  ['bin/preflight-checks.ts', 'bin/commands/examples.ts'].includes(file);

const all = printedCommands().filter(
  ({ command, file }) => isForPeople(file) && argumentsOf(command).length > 0 && !others.test(scriptOf(command)),
);
/** Those that differ by more than the stage or a name. */
const typed = [
  ...new Map(
    all.map((each) => [each.command.replace(/(stage|--(stage|table|file|user))[ =]\S+/g, '$1'), each]),
  ).values(),
];

function type(command: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_MAX_ATTEMPTS: '1' },
    // No local stage is there.
    PORT: '1',
    CI: 'true',
  };
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd: root, env, timeout: hangMs }, (_, out, err) =>
      resolve(out + err),
    );
    child.stdin?.end();
  });
}

test('they are some', () => expect(typed.length).toBeGreaterThan(15));

describe.each(typed)('$command', ({ command }) => {
  test('is understood', { timeout: hangMs * 1.5 }, async () => {
    const out = await type(command);
    expect(out).not.toMatch(/Missing script|ERR_PARSE_ARGS|unknown stage/);
    expect(out).not.toMatch(/^name (the stage|where|what)|--help says more$/m);
    expect(out).toMatch(
      /refused here|AccessDenied|could not be asked|no local stage answers|ENOENT|has no export|no such file|cannot be read|Unable to resolve AWS account|input is not a terminal|Successfully synthesized|nothing is published/i,
    );
  });
});
