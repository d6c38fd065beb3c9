import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importsOf, readSources } from '../../bin/source-imports.ts';
import { declarations } from '../../functions/domains.ts';
import { cursorSecret } from '../../lib/contract/secrets.ts';
import { firstCells, sectionOf } from './tables.ts';

/** docs/security/cryptography.md lists what the code has, and nothing else. */

const root = new URL('../..', import.meta.url).pathname;
const page = readFileSync(`${root}docs/security/cryptography.md`, 'utf8');
const sources = [...readSources(root)];
/** What is deployed. */
const deployed = sources.filter(([file]) => /^(functions|lib\/runtime|lib\/contract)\//.test(file));
const named = (heading: string) => firstCells(sectionOf(page, heading));

const keyed = ['keyedHash', 'keyedHashes', 'isKeyedHash', 'keyedDigits', 'seal', 'unseal', 'sealWith', 'unsealWith'];

/** The uses for which a source derives keys. @throws an Error for a call whose use cannot be read */
function usesIn(file: string, source: string): string[] {
  const imported = importsOf(file, source)
    .filter(({ to }) => to === 'lib/runtime/hmac-and-encrypt.ts')
    .flatMap(({ names }) => names ?? keyed.map((name) => `keyed.${name}`));
  const calls = imported.filter((name) => keyed.includes(name.replace('keyed.', '')));
  return calls.flatMap((name) =>
    [...source.matchAll(new RegExp(`(?<![\\w.])(?<!function )${name.replace('.', '\\.')}\\(`, 'g'))].map((call) => {
      const given = secondArgument(source.slice(call.index + call[0].length));
      const text = /^'(.*)'$/.exec(given) ?? new RegExp(`const ${given} = '(.*)'`).exec(source);
      if (!text?.[1]) throw new Error(`${file}: no use can be read from ${call[0]}…, ${given}`);
      return text[1];
    }),
  );
}

function secondArgument(rest: string): string {
  let depth = 0;
  const [args = ''] = /^[\s\S]*?(?=\n {0,2}\}|$)/.exec(rest) ?? [];
  const ends = [...args].flatMap((character, index) => {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    return (character === ',' && depth === 0) || depth < 0 ? [index] : [];
  });
  return args.slice((ends[0] ?? 0) + 1, ends[1]).trim();
}

test('each key in KMS has a row, and no row is left over', () => {
  const declared = declarations.signingKeys.map(({ name }) => name);
  expect(named('Keys in KMS').toSorted()).toEqual(['Key', ...declared].toSorted());
});

test('each secret has a row with the life of its old keys, and no row is left over', () => {
  const secrets = [...declarations.secrets, cursorSecret];
  expect(named('Secrets').toSorted()).toEqual(secrets.map(({ name }) => name).toSorted());
  for (const { name, lifeDays } of secrets) {
    const row = sectionOf(page, 'Secrets').find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toMatch(lifeDays === null ? / never \|$/ : new RegExp(` ${lifeDays} days?\\b[^|]*\\|$`));
  }
});

test('each use of a derived key has a row, and no row is left over', () => {
  const own = [...(deployedText('lib/runtime/hmac-and-encrypt.ts').matchAll(/derived\(key, '(.*?)'\)/g) ?? [])].map(
    ([, use]) => use,
  );
  const uses = new Set([...own, ...deployed.flatMap(([file, source]) => usesIn(file, source))]);
  expect(uses.size).toBeGreaterThan(15);
  expect(named('Uses of derived keys').toSorted()).toEqual([...uses].toSorted());
});

describe('node:crypto', () => {
  const calling = deployed.filter(([file, source]) =>
    importsOf(file, source).some(
      ({ to, names }) => /^(node:)?crypto$/.test(to) && (names === null || names.some((name) => name !== 'randomUUID')),
    ),
  );

  test('each file that calls it is listed, and no other', () => {
    const listed = [
      ...sectionOf(page, 'Where the code calls it')
        .join('\n')
        .matchAll(/`((?:functions|lib)\/[^`]+\.ts)`/g),
    ]
      .map(([, file]) => file)
      .filter((file) => !deployedText(file ?? '').includes('Math.random'));
    expect(listed.toSorted()).toEqual(calling.map(([file]) => file).toSorted());
  });

  test('hashes with SHA-256, and has one cipher', () => {
    const algorithms = deployed.flatMap(([, source]) => [
      ...source.matchAll(/\b(?:createHash|createHmac|hkdfSync|hash|verify|create(?:C|Dec)ipheriv)\(\s*'([^']+)'/g),
    ]);
    const ciphers = algorithms.filter(([call]) => call.includes('ipheriv'));
    expect(ciphers.map(([, name]) => name)).toEqual(['aes-256-gcm', 'aes-256-gcm']);
    expect(new Set(algorithms.map(([, name]) => name))).toEqual(new Set(['sha256', 'aes-256-gcm']));
  });
});

test('Math.random, MD5 and SHA-1 are where the page says', () => {
  const randoms = deployed.filter(([, source]) => source.includes('Math.random')).map(([file]) => file);
  const old = sources.filter(([, source]) => /\b(createHash|createHmac|hash)\(\s*'(md5|sha1)'/.test(source));
  for (const file of randoms) expect(page).toContain(`\`${file}\``);
  expect(randoms).toHaveLength(3);
  expect(old.map(([file]) => file).filter((file) => !/^lib\/(local|explore)\//.test(file))).toEqual([
    'bin/analytics/files.ts',
  ]);
});

test('nothing loosens the check of certificates', () => {
  const loose =
    /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|NODE_EXTRA_CA_CERTS|secureProtocol|ecdhCurve|secureOptions|dhparam|minVersion|maxVersion|\bciphers\s*[:=]|DEFAULT_CIPHERS|tls-cipher-list/;
  const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  expect(sources.filter(([, source]) => loose.test(bare(source))).map(([file]) => file)).toEqual([]);
});

describe('the use of a call', () => {
  const source = (call: string) =>
    `import { keyedHash } from '../../../lib/runtime/hmac-and-encrypt.ts';\nconst aUse = 'a use';\nconst x = ${call};\n`;
  test.each([
    ["keyedHash(secret, 'a use', text)", 'a use'],
    ['keyedHash(ringFrom(secret, keyIdIn(token)), aUse, text)', 'a use'],
  ])('is read: %s', (call, use) => expect(usesIn('functions/a/stores/b.ts', source(call))).toEqual([use]));
  test('cannot be computed', () =>
    expect(() => usesIn('functions/a/stores/b.ts', source('keyedHash(secret, useOf(text), text)'))).toThrow(/no use/));
});

function deployedText(file: string): string {
  return deployed.find(([name]) => name === file)?.[1] ?? '';
}
