import type { Environment } from './register.ts';
import type { Table } from './tables.ts';

/**
 * How a consumer's function gets the names of its tables. All variables of a function together may have 4 KB, and a name with its
 * variable has some 75 bytes. So only the first tables have a variable each. One variable has the names of all others, in a short
 * form of some 20 bytes.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

type Named = Pick<Table, 'name'>;

const mostWithVariable = 8;

/** @param tables those that a consumer declares, in their order. @returns those whose names share one variable */
export function listedTables<T extends Named>(tables: readonly T[]): readonly T[] {
  return tables.slice(mostWithVariable);
}

/**
 * The variable of a list: `TABLES_1a2b3c4d`. Its name follows from the tables. A deployment replaces code and variables one after
 * the other: in between, the code finds no list instead of a list of other tables.
 */
export function listVariable(listed: readonly Named[]): string {
  return `TABLES_${checksum(listed.map(({ name }) => name).join())}`;
}

export const separator = ',';

/**
 * The parts of a name that are known without it, each with a mark that stands for it. CloudFormation's name for a table is
 * `MobileHealth-dev-State-SleepEntriesTable-RLEE166B5JOB`; its short form is `~State!RLEE166B5JOB`. A name without such a part
 * (CloudFormation shortens long ones, and a restored table has another one) keeps its own text. No name has a mark in it.
 */
export function knownParts(
  environment: Environment,
  { name }: Named,
): readonly (readonly [mark: string, text: string])[] {
  return [
    ['~', `MobileHealth-${environment}-`],
    ['!', `-${name}Table-`],
  ];
}

/** The names in a list, in the order of the tables. */
export function namesIn(list: string, listed: readonly Named[], environment: Environment): readonly string[] {
  return list.split(separator).map((short, index) => {
    const table = listed[index] as Named;
    return knownParts(environment, table).reduce((name, [mark, text]) => name.replaceAll(mark, text), short);
  });
}

/** FNV-1a with 32 bits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(16);
}
