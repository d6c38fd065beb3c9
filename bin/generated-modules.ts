import { existsSync, readFileSync } from 'node:fs';
import { type OwnedTable, ownedTables, permissions } from '../functions/domains.ts';
import type { Person } from '../lib/contract/personal-data.ts';
import type { Table } from '../lib/contract/tables.ts';
import { ofKind, read as reads, remove, type Use } from '../lib/contract/uses.ts';
import { importsOf } from './source-imports.ts';

/**
 * What functions read of all domains: data, since a function that imported functions/domains.ts would carry every
 * declaration, and import itself.
 */
export const modules: readonly { readonly path: string; readonly expected: () => string }[] = [
  { path: 'functions/iam/generated.ts', expected: permissionsModule },
  { path: 'functions/erasure/generated.ts', expected: () => erasureModule(ownedTables) },
  {
    path: 'functions/erasure/workflows/own-erasers-generated.ts',
    expected: () => erasersModule(ownedTables, exportedBy),
  },
];

/** What `/iam` answers. */
function permissionsModule(): string {
  return [
    notice('functions/*/permissions.ts'),
    "import type { Permission } from '../../lib/contract/permissions.ts';",
    '',
    'export const permissions = [',
    lines(permissions.map((each) => JSON.stringify(each))),
    '] as const satisfies readonly Permission[];',
    '',
  ].join('\n');
}

type Held = { readonly domain: string; readonly table: Table; readonly person: Person };

/** Each table with each person whom its rows are about. */
function heldIn(owned: readonly OwnedTable[]): Held[] {
  return owned.flatMap(({ domain, table, data }) => data.people.map((person) => ({ domain, table, person })));
}

/** What an erasure deletes by a key; what is found through another table comes before that one's rows are gone. */
function byKeyOf(held: readonly Held[]) {
  return held
    .flatMap(({ table, person }) => (person.onErasure === 'erase' ? [{ table, found: person.found }] : []))
    .toSorted(({ found: one }, { found: other }) => Number(one === 'partition') - Number(other === 'partition'));
}

/** What the domains' own erasers and the deleting by keys need of the function, each once. */
function usesOfErasure(held: readonly Held[]): Use[] {
  const own = held.flatMap(({ person }) => ownOf(person)?.uses ?? []);
  const generic = byKeyOf(held).flatMap(({ table, found }): Use[] => {
    return [...(found === 'partition' ? [] : [reads(found.through)]), remove(table)];
  });
  return [...new Map([...own, ...generic].map((use) => [written(use), use])).values()];
}

function ownOf({ onErasure }: Person) {
  return typeof onErasure === 'object' && 'by' in onErasure ? onErasure : null;
}

/**
 * Which tables `erase-accounts` erases by their keys, and what it needs to use for that and for the domains' own erasers. Of a
 * table it carries the keys and no schema.
 */
export function erasureModule(owned: readonly OwnedTable[]): string {
  const held = heldIn(owned);
  const uses = usesOfErasure(held);
  const tables = new Map(uses.flatMap((use) => ('table' in use ? [[use.table.name, use.table] as const] : [])));
  const keys = [...tables.values()].map(({ name, partitionKey, sortKey, environments }) => {
    return `const ${name} = ${JSON.stringify({ name, partitionKey, sortKey, environments })} as const;`;
  });
  const erased = byKeyOf(held).map(({ table, found }) => {
    if (found === 'partition') return `{ table: ${table.name} }`;
    return `{ table: ${table.name}, through: ${found.through.name}, fields: ${JSON.stringify(found.fields)} }`;
  });
  return [
    notice('functions/*/data.ts'),
    "import type { ErasedTable } from '../../lib/contract/personal-data.ts';",
    "import type { Uses } from '../../lib/contract/uses.ts';",
    '',
    ...keys,
    '',
    'export const erasedTables: readonly ErasedTable[] = [',
    lines(erased),
    '];',
    '',
    'export const usesOfErasure = [',
    lines(uses.map(written)),
    '] as const satisfies Uses;',
    '',
  ].join('\n');
}

function written(use: Use): string {
  return 'table' in use ? `{ table: ${use.table.name}, access: '${use.access}' }` : JSON.stringify(use);
}

/**
 * Those that make rows pseudonymous first: they say most of the person.
 *
 * @param exported the names that a domain's `exports.ts` hands on
 * @throws an Error where an eraser is not among them, or uses a table that an environment lacks: it would get no name of it
 */
export function erasersModule(owned: readonly OwnedTable[], exported: (domain: string) => ReadonlySet<string>): string {
  const own = heldIn(owned).flatMap(({ domain, table, person }) => {
    const found = ownOf(person);
    if (!found) return [];
    const { by: name, becomes, uses } = found;
    if (!exported(domain).has(name)) {
      throw new Error(
        `functions/${domain}/data.ts: ${table.name} is erased by ${name}, which exports.ts does not hand on`,
      );
    }
    const partial = ofKind(uses, 'table').find((use) => use.table.environments);
    if (partial) throw new Error(`${name} uses ${partial.table.name}, which is not in every environment`);
    return [{ domain, name, isFirst: becomes === 'pseudonymous' }];
  });
  const each = [...new Map(own.map((one) => [one.name, one])).values()];
  const inOrder = each.toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst));
  const imports = each
    .map(({ domain, name }) => `import { ${name} } from '../../${domain}/exports.ts';`)
    .toSorted()
    .join('\n');
  return `${notice('functions/*/data.ts')}
${imports}

export const ownErasers = { ${inOrder.map(({ name }) => name).join(', ')} };
`;
}

function exportedBy(domain: string): ReadonlySet<string> {
  const file = `functions/${domain}/exports.ts`;
  const address = new URL(`../${file}`, import.meta.url);
  if (!existsSync(address)) return new Set();
  const handedOn = importsOf(file, readFileSync(address, 'utf8')).flatMap(({ names }) => names ?? []);
  return new Set(handedOn.map((name) => name.split(' as ').at(-1) ?? name));
}

function lines(values: readonly string[]): string {
  return values.map((value) => `  ${value},`).join('\n');
}

function notice(from: string): string {
  return `// Generated from ${from} by npm run generate; do not edit.\n`;
}
