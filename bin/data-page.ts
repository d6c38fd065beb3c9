import { ownedTables } from '../functions/domains.ts';
import type { Person } from '../lib/contract/personal-data.ts';
import type { Table } from '../lib/contract/tables.ts';
import { table } from './markdown.ts';

/** The generated part of docs/data.md: the tables, whose data they hold, and what an erasure does with it. */

export function dataTables(): string {
  return [
    inventory(),
    'The next table says whose data the rows are, what an erasure does with them, and whether the person’s own export has them:',
    people(),
  ].join('\n\n');
}

function inventory(): string {
  return table(
    ['where', 'level', 'what', 'why', 'how long', 'who can read'],
    ownedTables.map(({ table: { name }, data }) => [
      `\`${name}\``,
      data.level,
      data.holds,
      data.why,
      data.howLong,
      data.readers,
    ]),
  );
}

function people(): string {
  return table(
    ['whose', 'in', 'found by', 'when the account is erased', 'in the export'],
    ownedTables.flatMap((each) =>
      each.data.people.map((person) => [
        person.who,
        `\`${each.table.name}\``,
        keyOf(each.table, person),
        fateOf(person),
        shareOf(person),
      ]),
    ),
  );
}

function keyOf({ partitionKey }: Table, { found }: Person): string {
  if (found === 'partition') return `\`${partitionKey}\``;
  if ('described' in found) return found.described;
  return `\`${partitionKey}\`: ${found.fields.map((field) => `\`${field}\``).join(' and ')} of \`${found.through.name}\``;
}

function fateOf({ onErasure }: Person): string {
  if (onErasure === 'erase') return 'erased';
  if ('by' in onErasure) return `${onErasure.becomes}, by \`${onErasure.by}\``;
  return `kept, as ${onErasure.keep}; term: ${onErasure.until}`;
}

function shareOf({ inExport }: Person): string {
  if (inExport === false) return 'no';
  if (inExport === true) return 'yes';
  if ('by' in inExport) return `yes, by \`${inExport.by}\``;
  return `yes, without ${inExport.without.map((field) => `\`${field}\``).join(', ')}`;
}
