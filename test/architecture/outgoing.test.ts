import { describe, expect, test } from 'vitest';
import { importsOf, readSources } from '../../bin/source-imports.ts';

/** What code that is deployed cannot do, whoever calls it: start a process, run a text, ask an address that somebody gave, match a pattern that somebody wrote. */

const sources = readSources(new URL('../../', import.meta.url).pathname);

/** Jobs of commands are among them. */
const isDeployed = (file: string) => /^(?:functions|lib\/contract|lib\/runtime)\//.test(file);

const running = /^node:(?:child_process|vm|cluster|worker_threads|module|repl|inspector)$/;
const outgoing = /^node:(?:http|https|http2|net|tls|dgram|dns)(?:\/|$)/;

const evaluated =
  /(?<![\w$.'])(?:eval|Function|importScripts)\s*\(|(?:setTimeout|setInterval)\s*\(\s*['"`]|getBuiltinModule|\bprocess\.binding/;
const asking = /(?<![\w$.'])(?:fetch\s*\(|new\s+(?:Request|WebSocket|EventSource|XMLHttpRequest)\b)/;

/** Where it is right, and why. */
const allowed: Readonly<Record<string, RegExp>> = {
  // The keys of the pool, whose address is made from the pool's id.
  'lib/runtime/jwks.ts': /^imports node:https?$/,
  // The typed client of tests and tools, which no function may import.
  'lib/contract/client.ts': /^asks an address/,
};

/** Of constants of its file or of the rule beside it; the length is a number of its own. */
const made: Readonly<Record<string, readonly string[]>> = {
  'functions/access-codes/rules/code.ts': ['codeLength'],
  'functions/auth/rules/refresh-token.ts': ['prefix'],
  'functions/learning/jobs/course-file.ts': ['length - 1'],
  'lib/contract/fields.ts': ['control', 'controlButBreaks', 'visible', 'identifier'],
};

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function patternFaults(file: string, source: string): string[] {
  const known = made[file] ?? [];
  return [...source.matchAll(/\bRegExp\(\s*([\s\S]*?)\s*,?\s*\)(?=[\s,;).])/g)].flatMap(([, given = '']) => {
    const [, text = null] = /^(?:(?:String\.raw)?`([^`]*)`|'[^']*')(?:,\s*'\w*')?$/.exec(given) ?? [];
    if (text === null) return given.startsWith("'") ? [] : ['makes a pattern of what is no text of its own'];
    const names = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name);
    const isConstant = (name: string) =>
      known.includes(name) &&
      (!/^\w+$/.test(name) ||
        new RegExp(`^(?:(?:export )?const ${name}\\b|import \\{.*\\b${name}\\b.*\\} from '\\./)`, 'm').test(source));
    return names.filter((name) => !isConstant(name)).map((name) => `makes a pattern of ${name}`);
  });
}

function faultsIn(file: string, source: string): string[] {
  if (!isDeployed(file)) return [];
  const code = withoutComments(source);
  const imports = importsOf(file, source).filter(({ typeOnly, names }) => !typeOnly && names?.length !== 0);
  const found = [
    ...imports.filter(({ to }) => running.test(to) || outgoing.test(to)).map(({ to }) => `imports ${to}`),
    ...imports.filter(({ to }) => to === 'lib/contract/client.ts').map(({ to }) => `imports ${to}`),
    ...(evaluated.test(code) ? ['runs a text'] : []),
    ...(asking.test(code) ? ['asks an address'] : []),
    ...(/\bendpoint\s*[:,}]/.test(code) && /Client\(/.test(code) ? ['gives a client an endpoint'] : []),
    ...patternFaults(file, code),
  ];
  return found.filter((fault) => !allowed[file]?.test(fault)).map((fault) => `${file}: ${fault}`);
}

/** Of commands and the local stage: a program and its arguments, and no line for a shell to take apart. Windows starts npm by one. */
function shellFaults(file: string, source: string): string[] {
  const code = withoutComments(source);
  const names = importsOf(file, source).flatMap(({ to, names }) =>
    to === 'node:child_process' ? (names ?? ['*']) : [],
  );
  const isShell =
    names.some((name) => /^(?:exec|execSync|\*)\b/.test(name)) ||
    /\bshell:(?! number\b| process\.platform === 'win32')/.test(code);
  return isShell ? [`${file}: runs a line in a shell`] : [];
}

test('no deployed code starts a process, runs a text, asks an address that was given, or makes a pattern of one', () => {
  expect([...sources.keys()].filter(isDeployed).length).toBeGreaterThan(500);
  expect([...sources].flatMap(([file, source]) => faultsIn(file, source))).toEqual([]);
});

test('no command gives a line to a shell', () => {
  expect([...sources].flatMap(([file, source]) => shellFaults(file, source))).toEqual([]);
});

test('what is allowed is needed', () => {
  for (const file of [...Object.keys(allowed), ...Object.keys(made)]) expect([...sources.keys()]).toContain(file);
});

describe('each rule catches what breaks it', () => {
  test.each([
    ["import { execFile } from 'node:child_process';", 'imports node:child_process'],
    ["import { compileFunction } from 'node:vm';", 'imports node:vm'],
    ["import { Worker } from 'node:worker_threads';", 'imports node:worker_threads'],
    ["import { get } from 'node:https';", 'imports node:https'],
    ["const { connect } = await import('node:net');", 'imports node:net'],
    ["import { call } from '../../../lib/contract/client.ts';", 'imports lib/contract/client.ts'],
    ['const x = eval(text);', 'runs a text'],
    ['const x = new Function(text);', 'runs a text'],
    ["setTimeout('x()', 1);", 'runs a text'],
    ["process.getBuiltinModule('child_process');", 'runs a text'],
    ['const x = await fetch(body.url);', 'asks an address'],
    ['const x = new Request(body.url);', 'asks an address'],
    ['const x = new S3Client({ endpoint: body.url });', 'gives a client an endpoint'],
    ['const x = new RegExp(body.pattern);', 'makes a pattern of what is no text of its own'],
    ['const x = new RegExp(`^\x24{body.prefix}`);', 'makes a pattern of body.prefix'],
    ['const x = RegExp(text);', 'makes a pattern of what is no text of its own'],
  ])('%s', (source, fault) => {
    expect(faultsIn('functions/one/stores/a.ts', source)).toEqual([`functions/one/stores/a.ts: ${fault}`]);
  });

  test.each([
    '// eval(text)\nconst x = prefetch(a).fetch(b);',
    "import type { IncomingMessage } from 'node:http';",
    "const x = new RegExp('^a$');",
  ])('and nothing else: %s', (source) => {
    expect(faultsIn('functions/one/stores/a.ts', source)).toEqual([]);
  });

  test.each(["import { exec } from 'node:child_process';", "spawn('ls', [], { shell: true });"])(
    'in a command: %s',
    (source) => {
      expect(shellFaults('bin/a.ts', source)).toEqual(['bin/a.ts: runs a line in a shell']);
    },
  );
});

/** What a file keeps between requests, beside its client: why it is of no person. */
const kept: Readonly<Record<string, string>> = {
  'functions/app-version/handlers/check-app-version.ts': 'the policies of versions',
  'functions/auth/handlers/get-physician-access.ts': 'verifies tokens',
  'functions/consents/handlers/agree.ts': 'which agreement a published version is of',
  'functions/consents/handlers/list-agreements.ts': 'the catalogue',
  'functions/learning/stores/course-rows.ts': 'published courses',
  'functions/mobile-settings/handlers/read-mobile-settings.ts': 'the settings',
  'functions/questionnaires/stores/bundle-rows.ts': 'published bundles',
  'functions/questionnaires/stores/version-rows.ts': 'published questionnaires',
  'functions/receipts/stores/kept-keys.ts': 'public keys',
  'functions/sleep/stores/entry-rows.ts': 'names of zones',
};

test('between requests functions keep clients, keys, and what is published, and nothing of people', () => {
  const isKeeping = /^(?:export )?(?:let \w|const [^=\n]+ = new (?:Map|Set)(?:<.*>)?\(\)|const .*\bkeep(?:<\w+>)?\()/m;
  const isClient = /^lib\/runtime\/(?:clients|cognito|event-bridge|kms|procedures|s3|ses|sns|sqs)\.ts$/;
  const found = [...sources].flatMap(([file, source]) =>
    isDeployed(file) && !isClient.test(file) && isKeeping.test(withoutComments(source)) ? [file] : [],
  );
  expect(found.toSorted()).toEqual(Object.keys(kept));
});
