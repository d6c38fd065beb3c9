import { consumers, operations, ownedTables } from '../functions/domains.ts';
import type { Table } from '../lib/contract/tables.ts';
import type { UserPoolAccess } from '../lib/contract/user-pool-uses.ts';
import { tablesIn, type Use } from '../lib/contract/uses.ts';
import { table, withPart } from './markdown.ts';
import { type Holder, holders, type Right, type RightsToTable, rightsByTable, withRight } from './table-rights.ts';

/**
 * The derived columns of docs/security/roles.md, and the whole list of docs/security/functions.md. The last columns of the first
 * are written by people: they stay with their row, and a row that is new has none, which a test reports.
 */

const all = holders({ operations, consumers });

export function withWrongHands(current: string): string | null {
  const tables = withPart(current, 'tables', tableRows(kept(current, 'tables', 3)));
  return tables && withPart(tables, 'others', otherRows(kept(current, 'others', 2)));
}

/** What people wrote into the last cells of a row, by the text of its first cell. */
function kept(page: string, part: string, count: number): Map<string, readonly string[]> {
  const [, text = ''] = page.split(new RegExp(`<!-- /?${part} -->`));
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((row) => {
      const [, first = '', ...cells] = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
      return [first, cells.slice(-1 - count, -1)];
    }),
  );
}

const unwritten = ['', '', ''];

function tableRows(written: ReadonlyMap<string, readonly string[]>): string {
  const rights = rightsByTable(all);
  return table(
    [
      'table',
      'may write rows',
      'may delete rows',
      'may list all rows',
      'attacks',
      'in wrong hands',
      'found by, and how soon',
    ],
    ownedTables.map(({ table: declared }) => {
      const name = `\`${declared.name}\``;
      const functions = rights.get(declared.name);
      return [
        name,
        writersOf(declared, functions),
        named(withRight(functions, 'delete')),
        named(withRight(functions, 'scan')),
        ...(written.get(name) ?? unwritten),
      ];
    }),
  );
}

function writersOf({ adjustable = [], ledger }: Table, functions: RightsToTable | undefined): string {
  const writing = withRight(functions, 'put', 'update');
  const adjusting = withRight(functions, 'adjust').filter((name) => !writing.includes(name));
  const expiring = withRight(functions, 'expire').filter((name) => !writing.includes(name));
  const parts = [
    ...(writing.length > 0 ? [`${named(writing)}${ledger ? ': puts of its attributes' : ''}`] : []),
    ...(adjusting.length > 0 ? [`only ${listed(adjustable)}: ${named(adjusting)}`] : []),
    ...(expiring.length > 0 ? [`only the expiry: ${named(expiring)}`] : []),
  ];
  return parts.join('; ') || '–';
}

/** More than a line of names are a number: functions.md has them all. */
function named(names: readonly string[]): string {
  return names.length > 8 ? `${names.length} functions` : listed(names);
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ') || '–';
}

function otherRows(written: ReadonlyMap<string, readonly string[]>): string {
  const found = new Map<string, string[]>();
  for (const { name, uses } of all) {
    for (const use of uses) {
      const inPool = 'userPool' in use ? use.userPool.filter((access) => lockingOut.includes(access)) : [];
      const what = 'table' in use ? null : phraseOf(use);
      for (const one of what === null ? inPool.map((access) => `\`UserPool\`: ${access}`) : [what]) {
        found.set(one, [...(found.get(one) ?? []), name]);
      }
    }
  }
  const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return table(
    ['right', 'functions', 'in wrong hands', 'found by, and how soon'],
    sorted.map(([what, names]) => [what, named([...new Set(names)]), ...(written.get(what) ?? unwritten.slice(1))]),
  );
}

/** In a user pool: decision 62 has the rights that take an account over. */
const lockingOut: readonly UserPoolAccess[] = ['disable', 'enable', 'end-sessions'];

/** @returns null for what changes nothing: decision 62 has the user pools, and public keys are no secret */
function phraseOf(use: Exclude<Use, { readonly table: unknown }>): string | null {
  if ('bucket' in use) return `\`${use.bucket.name}\`${'prefix' in use ? ` \`${use.prefix}\`` : ''}: ${use.access}`;
  if ('queue' in use) return `\`${use.queue.name}\`: send`;
  if ('signingKey' in use) return use.access === 'verify' ? null : `\`${use.signingKey.name}\`: sign`;
  if ('secret' in use) return `\`${use.secret.name}\`: read`;
  if ('procedure' in use) return `\`${use.procedure.name}\`: call`;
  if ('pushPlatforms' in use) return `\`PushPlatforms\`: ${use.pushPlatforms}`;
  if ('eventBus' in use) return '`EventBus`: publish';
  if ('operators' in use) return '`Alarms`: tell';
  return 'mail' in use ? '`Mail`: send' : null;
}

const listedRights: readonly (readonly [string, readonly Right[]])[] = [
  ['writes', ['put', 'update', 'adjust', 'expire']],
  ['deletes', ['delete']],
  ['reads', ['get', 'query', 'batch', 'scan']],
];

export function functionsPage(): string {
  const rights = rightsByTable(all);
  const domains = [...new Set(all.map(({ domain }) => domain))];
  const cellsOf = ({ name, calledBy, uses }: Holder) => {
    const reached = tablesIn(uses).map(([each]) => each.name);
    const columns = listedRights.map(([, each]) =>
      reached.filter((one) => each.some((right) => rights.get(one)?.get(name)?.has(right))),
    );
    const others = [...new Set(uses.flatMap((use) => ('table' in use ? [] : (phraseOf(use) ?? []))))];
    return [
      `\`${name}\``,
      calledBy,
      ...columns.map((tables) => tables.map((one) => `\`${one}\``).join(', ') || '–'),
      others.join('; ') || '–',
    ];
  };
  return `${[
    '# What each function may do',
    'Generated from the declarations by `npm run generate`; do not edit. A test compares the declarations with the roles of the templates\n' +
      '(`test/stack/functions.test.ts`). [Roles in wrong hands](roles.md) says what it means. Rights in user pools are in [decision\n' +
      '62](../decisions/0062-rights-in-user-pools.md). Beside these, each route asks whether its caller’s account is open and the session goes on\n' +
      '(`Accounts`, `EndedSessions`), and in dev and staging which time it is (`Clock`).',
    ...domains.flatMap((domain) => [
      `## ${domain}`,
      table(
        ['function', 'called by', ...listedRights.map(([head]) => head), 'beside tables'],
        all.filter((each) => each.domain === domain).map(cellsOf),
      ),
    ]),
  ].join('\n\n')}\n`;
}
