import { ownedTables, permissions } from '../functions/domains.ts';
import type { Person } from '../lib/contract/personal-data.ts';
import type { Table } from '../lib/contract/tables.ts';
import { read as reads, remove, type Use } from '../lib/contract/uses.ts';

/**
 * What functions read of all domains: data, since a function that imported functions/domains.ts would carry every
 * declaration, and import itself.
 */
export const modules: readonly { readonly path: string; readonly expected: () => string }[] = [
  { path: 'functions/iam/generated.ts', expected: permissionsModule },
  { path: 'functions/erasure/generated.ts', expected: erasureModule },
  { path: 'functions/erasure/workflows/own-erasers.ts', expected: erasersModule },
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
const held: readonly Held[] = ownedTables.flatMap(({ domain, table, data }) =>
  data.people.map((person) => ({ domain, table, person })),
);

/** What an erasure deletes by a key; what is found through another table comes before that one's rows are gone. */
const byKey = held
  .flatMap(({ table, person }) => (person.onErasure === 'erase' ? [{ table, found: person.found }] : []))
  .toSorted(({ found: one }, { found: other }) => Number(one === 'partition') - Number(other === 'partition'));

/** What the domains' own erasers and the deleting by keys need of the function, each once. */
function usesOfErasure(): Use[] {
  const own = held.flatMap(({ person }) => ownOf(person)?.uses ?? []);
  const generic = byKey.flatMap(({ table, found }): Use[] => {
    return [...(found === 'partition' ? [] : [reads(found.through)]), remove(table)];
  });
  return [...new Map([...own, ...generic].map((use) => [written(use), use])).values()];
}

function ownOf({ onErasure }: Person) {
  return typeof onErasure === 'object' && 'by' in onErasure ? onErasure : null;
}

/** What `erase-accounts` erases, and is let to. The tables are given by their keys alone. */
function erasureModule(): string {
  const uses = usesOfErasure();
  const tables = new Map(uses.flatMap((use) => ('table' in use ? [[use.table.name, use.table] as const] : [])));
  const keys = [...tables.values()].map(({ name, partitionKey, sortKey }) => {
    return `const ${name} = ${JSON.stringify({ name, partitionKey, sortKey })} as const;`;
  });
  const erased = byKey.map(({ table, found }) => {
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
    'export const erasedTables = [',
    lines(erased),
    '] as const satisfies readonly ErasedTable[];',
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

/** Those that make rows pseudonymous first: they say most of the person. */
function erasersModule(): string {
  const own = held.flatMap(({ domain, person }) => {
    const found = ownOf(person);
    return found ? [{ domain, name: found.by, isFirst: found.becomes === 'pseudonymous' }] : [];
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

function lines(values: readonly string[]): string {
  return values.map((value) => `  ${value},`).join('\n');
}

function notice(from: string): string {
  return `// Generated from ${from} by npm run generate; do not edit.\n`;
}
