import { existsSync, readFileSync } from 'node:fs';
import { exportFiles, ownedTables, permissions } from '../functions/domains.ts';
import type { OwnedFile, OwnedTable } from '../lib/contract/declarations.ts';
import type { Person } from '../lib/contract/personal-data.ts';
import type { Table } from '../lib/contract/tables.ts';
import { ofKind, read as reads, remove, type Use } from '../lib/contract/uses.ts';
import { importsOf } from './source-imports.ts';

/**
 * Data about all domains for functions. A function cannot import functions/domains.ts: its bundle would have every declaration, and
 * it would import itself.
 */
export const modules: readonly { readonly path: string; readonly expected: () => string }[] = [
  { path: 'functions/generated/iam-permissions.ts', expected: permissionsModule },
  { path: 'functions/generated/erased-tables.ts', expected: () => erasureModule(ownedTables) },
  {
    path: 'functions/erasure/workflows/own-erasers-generated.ts',
    expected: () => erasersModule(ownedTables, exportedBy),
  },
  { path: 'functions/generated/exported-domains.ts', expected: () => exportModule(ownedTables, exportFiles) },
  {
    path: 'functions/personal-exports/workflows/own-readers-generated.ts',
    expected: () => readersModule(ownedTables, exportFiles, exportedBy),
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

/** What an erasure deletes by a key. Rows that are found through another table are deleted before the other table's rows. */
function byKeyOf(held: readonly Held[]) {
  return held
    .flatMap(({ table, person }) => (person.onErasure === 'erase' ? [{ table, found: person.found }] : []))
    .toSorted(({ found: one }, { found: other }) => Number(one === 'partition') - Number(other === 'partition'));
}

/** What the function needs for the domains' own erasers and for deleting by keys, each once. */
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
 * The tables that `erase-accounts` erases by their keys, and the `uses` for that and for the domains' own erasers. Only the keys of
 * the tables are included, and no schema.
 */
export function erasureModule(owned: readonly OwnedTable[]): string {
  const held = heldIn(owned);
  const uses = usesOfErasure(held);
  const tables = new Map(uses.flatMap((use) => ('table' in use ? [[use.table.name, use.table] as const] : [])));
  const keys = keysOf([...tables.values()], owned);
  const erased = byKeyOf(held).map(({ table, found }) => {
    if (found === 'partition') return `{ table: ${table.name} }`;
    return `{ table: ${table.name}, through: ${found.through.name}, fields: ${JSON.stringify(found.fields)} }`;
  });
  return [
    notice('functions/*/personal-data.ts'),
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

/**
 * The tables with their types, but only their keys, and what an `adjust` of them is limited to: importing one declaration would bundle all declarations of
 * its domain.
 */
function keysOf(tables: readonly Table[], owned: readonly OwnedTable[]): string[] {
  const domainOf = new Map(owned.map(({ domain, table }) => [table.name, domain]));
  return tables.map(({ name, partitionKey, sortKey, adjustable, environments }) => {
    // Not in one text, in which the checks would see an import of this module.
    const declared = `('../${domainOf.get(name)}/tables.ts').${name}`;
    const keys = JSON.stringify({ name, partitionKey, sortKey, adjustable, environments });
    return `const ${name} = ${keys} as typeof import${declared};`;
  });
}

function written(use: Use): string {
  return 'table' in use ? `{ table: ${use.table.name}, access: '${use.access}' }` : JSON.stringify(use);
}

/**
 * Erasers that make rows pseudonymous come first: their rows say most about the person.
 *
 * @param exported the names that a domain's `exports.ts` exports
 * @throws an Error if an eraser is not exported, or uses a table that an environment does not have
 */
export function erasersModule(owned: readonly OwnedTable[], exported: (domain: string) => ReadonlySet<string>): string {
  const own = heldIn(owned).flatMap(({ domain, table, person }) => {
    const found = ownOf(person);
    if (!found) return [];
    const { by: name, becomes, uses } = found;
    if (!exported(domain).has(name)) {
      throw new Error(
        `functions/${domain}/personal-data.ts: ${table.name} is erased by ${name}, which exports.ts does not hand on`,
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
  return `${notice('functions/*/personal-data.ts')}
${imports}

export const ownErasers = { ${inOrder.map(({ name }) => name).join(', ')} };
`;
}

type Exported = Held & { readonly inExport: Exclude<Person['inExport'], false> };

/** Each table, once for each way in which its rows are in a person's export. */
function exportedIn(owned: readonly OwnedTable[]): Exported[] {
  return heldIn(owned).flatMap((held) => {
    const { inExport } = held.person;
    return inExport === false ? [] : [{ ...held, inExport: inExport as Exported['inExport'] }];
  });
}

function readByOf({ inExport }: Pick<Exported, 'inExport'>) {
  return typeof inExport === 'object' && 'by' in inExport ? inExport : null;
}

function usesOfExport(exported: readonly Exported[], files: readonly OwnedFile[]): Use[] {
  const uses = exported.flatMap((each): readonly Use[] => {
    const { table, person } = each;
    const own = readByOf(each);
    if (own) return own.uses;
    return [
      ...(typeof person.found === 'object' && 'through' in person.found ? [reads(person.found.through)] : []),
      reads(table),
    ];
  });
  const all = [...uses, ...files.flatMap(({ file }) => file.uses)];
  return [...new Map(all.map((use) => [written(use), use])).values()];
}

/** The tables that `make-export` reads, the uses that grant it, and the texts of the page in the ZIP. */
export function exportModule(owned: readonly OwnedTable[], files: readonly OwnedFile[]): string {
  const exported = exportedIn(owned);
  const twice = exported.find(({ table }, index) => exported.findIndex((other) => other.table === table) !== index);
  if (twice)
    throw new Error(`${twice.table.name} is exported for two kinds of people: one reader says what is about whom`);
  const uses = usesOfExport(exported, files);
  const tables = new Map([
    ...exported.map(({ table }) => [table.name, table] as const),
    ...uses.flatMap((use) => ('table' in use ? [[use.table.name, use.table] as const] : [])),
  ]);
  const data = new Map(owned.map((each) => [each.table.name, each.data]));
  const entry = (each: Exported) => {
    const { table, person, inExport } = each;
    const { holds, why, howLong, readers, inGerman } = data.get(table.name) ?? {};
    const { found } = person;
    const own = readByOf(each);
    const how = [
      `table: ${table.name}`,
      ...(own === null && typeof found === 'object' && 'through' in found
        ? [`through: ${found.through.name}, fields: ${JSON.stringify(found.fields)}`]
        : []),
      ...(typeof inExport === 'object' && 'without' in inExport
        ? [`without: ${JSON.stringify(inExport.without)}`]
        : []),
      ...(own ? [`by: ${JSON.stringify(own.by)}`] : []),
      `inEnglish: ${JSON.stringify({ holds, why, howLong, readers })}`,
      ...(inGerman ? [`inGerman: ${JSON.stringify(inGerman)}`] : []),
    ];
    return `      { ${how.join(', ')} },`;
  };
  const byDomain = [...Map.groupBy(exported, ({ domain }) => domain)];
  return [
    notice('functions/*/personal-data.ts'),
    "import type { ExportedDomain, ExportedFile } from '../../lib/contract/personal-data.ts';",
    "import type { Uses } from '../../lib/contract/uses.ts';",
    '',
    ...keysOf([...tables.values()], owned),
    '',
    'export const exportedDomains: readonly ExportedDomain[] = [',
    ...byDomain.flatMap(([domain, each]) => [
      '  {',
      `    domain: ${JSON.stringify(domain)},`,
      '    tables: [',
      ...each.map(entry),
      '    ],',
      '  },',
    ]),
    '];',
    '',
    "export const exportedFiles: readonly Omit<ExportedFile, 'uses'>[] = [",
    lines(files.map(({ file: { name, holds, by } }) => JSON.stringify({ name, holds, by }))),
    '];',
    '',
    'export const usesOfExport = [',
    lines(uses.map(written)),
    '] as const satisfies Uses;',
    '',
  ].join('\n');
}

/**
 * @param exported the names that a domain's `exports.ts` exports
 * @throws an Error if a reader or writer is not exported, or uses a table that an environment does not have, or if two files of the
 * export have the same name
 */
export function readersModule(
  owned: readonly OwnedTable[],
  files: readonly OwnedFile[],
  exported: (domain: string) => ReadonlySet<string>,
): string {
  const readers = exportedIn(owned).flatMap((each) => {
    const own = readByOf(each);
    return own ? [{ domain: each.domain, ...own }] : [];
  });
  const writers = files.map(({ domain, file: { by, uses } }) => ({ domain, by, uses }));
  const each = [...new Map([...readers, ...writers].map((one) => [one.by, one])).values()];
  for (const { domain, by, uses } of each) {
    if (!exported(domain).has(by)) {
      throw new Error(
        `functions/${domain}/personal-data.ts: ${by} is of the personal export, and exports.ts does not hand it on`,
      );
    }
    const partial = ofKind(uses, 'table').find((use) => use.table.environments);
    if (partial) throw new Error(`${by} uses ${partial.table.name}, which is not in every environment`);
  }
  const names = ['index.html', ...exportedIn(owned).map(({ domain }) => `${domain}.json`)];
  const taken = files.find(({ file }, index) => {
    return names.includes(file.name) || files.findIndex((other) => other.file.name === file.name) !== index;
  });
  if (taken) throw new Error(`functions/${taken.domain}/personal-data.ts: the export has another ${taken.file.name}`);
  const imports = each
    .map(({ domain, by }) => `import { ${by} } from '../../${domain}/exports.ts';`)
    .toSorted()
    .join('\n');
  const listed = (some: readonly { by: string }[]) => [...new Set(some.map(({ by }) => by))].join(', ');
  return `${notice('functions/*/personal-data.ts')}
${imports}

export const ownReaders = { ${listed(readers)} };
export const ownWriters = { ${listed(writers)} };
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
