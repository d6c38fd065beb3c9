import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { tables } from '../../functions/domains.ts';
import type { Table } from '../../lib/contract/tables.ts';
import type { TableAccess } from '../../lib/contract/uses.ts';
import { type Kind, kinds, statesOf, tableRows } from '../architecture/wrong-hands-page.ts';
import { eventually } from '../eventually.ts';
import { type DeclaredFunction, declaredFunctions } from '../stack/declared-functions.ts';
import { attackedStage } from './attacked-stage.ts';
import { honestRow, isOfPatients } from './victims.ts';
import { isAllowed, outcomeOf, type Row, type Target, ways } from './ways.ts';

/** Every table, attacked with the rights of its functions: made from the declarations, so a table that is new is attacked, too. */

const attacked = attackedStage();
const functions = declaredFunctions('dev').filter(({ isAuthorizer, bundle }) => !isAuthorizer && /-/.test(bundle));

type Attacker = { readonly by: DeclaredFunction; readonly accesses: readonly TableAccess[] };

/**
 * Functions that hold each access at least once, those with fewest accesses first, and one that has none. Statements of several
 * accesses are those of each (functions.test.ts compares them for every role).
 */
function attackersOf(table: Table): Attacker[] {
  const all = functions
    .map((by) => ({ by, accesses: by.tables.find(([{ name }]) => name === table.name)?.[1] ?? [] }))
    .toSorted((one, other) => new Set(one.accesses).size - new Set(other.accesses).size);
  const seen = new Set<string>();
  return all.filter(({ accesses }, index) => {
    const isNew = index === 0 || accesses.some((access) => !seen.has(access));
    for (const access of accesses) seen.add(access);
    return isNew;
  });
}

const keysOf = ({ partitionKey, sortKey }: Table) => [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];

function placeOf(table: Table, whose = 'attack'): Target {
  const { name, ledger, adjustable } = table;
  const Key = Object.fromEntries(keysOf(table).map((key) => [key, whose]));
  const more = Object.fromEntries((ledger?.attributes ?? []).map((attribute) => [attribute, 'attack']));
  return { TableName: attacked.table(name), Key, Item: { ...more, ...Key }, named: adjustable?.[0] ?? 'named' };
}

const putting: readonly TableAccess[] = ['write', 'append', 'replace'];
const able: Readonly<Record<Kind, readonly TableAccess[]>> = {
  // An update makes the row that is not there.
  new: [...putting, 'adjust'],
  over: [...putting, 'adjust'],
  removal: ['remove', 'discard', 'replace'],
};

/** What whoever has these accesses does to a row, or beside it. */
function forgery(kind: Kind, table: Table, { accesses }: Attacker, row: Row): object {
  const { TableName, named } = placeOf(table);
  const keys = keysOf(table);
  const Key = Object.fromEntries(keys.map((key) => [key, row[key]]));
  if (kind === 'removal') return { Delete: { TableName, Key } };
  if (accesses.some((access) => putting.includes(access))) {
    if (kind === 'new') return { Put: { TableName, Item: row } };
    const [field = 'forged'] = Object.keys(row).filter((name) => !keys.includes(name) && typeof row[name] === 'string');
    return { Put: { TableName, Item: { ...row, [field]: 'forged' } } };
  }
  const change = { ExpressionAttributeNames: { '#named': named }, ExpressionAttributeValues: { ':x': 'forged' } };
  return { Update: { TableName, Key, UpdateExpression: 'SET #named = :x', ...change } };
}

async function send({ by }: Attacker, item: object): Promise<void> {
  const { dynamo } = attacked.as(by.bundle, by.application);
  await dynamo.send(new TransactWriteCommand({ TransactItems: [item] as never }));
}

const attacks = tables.flatMap((table) =>
  kinds.flatMap((kind) => {
    const row = tableRows.get(table.name);
    const attackers = attackersOf(table).filter(({ accesses }) => accesses.some((each) => able[kind].includes(each)));
    return row && attackers.length > 0 ? [{ table, kind, attackers, row, state: statesOf(row)[kind] }] : [];
  }),
);

describe('what is allowed', () => {
  const seconds: number[] = [];

  test('and said to be open is told to nobody: what the page says of it still holds', async () => {
    const open = attacks.filter(({ state }) => state === 'open');
    for (const { table, kind, attackers } of open) {
      for (const attacker of attackers) await send(attacker, forgery(kind, table, attacker, placeOf(table).Item));
    }
    await attacked.stage().idle();
    expect(attacked.told).toEqual([]);
    console.log(`${open.length} attacks are open`);
  });

  /** What is found only hours or days later has a test of its own, which the page names. */
  const found = attacks.filter(({ state, row }) => state === 'discovered' && !row.found.includes('test/attacks/'));
  const byTable = Map.groupBy(found, ({ table }) => table);
  test.each([...byTable].map(([table, each]) => [table.name, table, each] as const))(
    'and said to be discovered is told within a minute: %s',
    async (_name, table, each) => {
      const planted: string[] = [];
      for (const { kind, row, attackers } of each) {
        const [, finder = ''] = /`((?:compare|check)-[a-z-]+)`/.exec(row.found.split('open:')[0] ?? '') ?? [];
        // Of patients' rows one role for each kind: flags.slow.test.ts has the others.
        const tried = isOfPatients(table) ? attackers.slice(0, 1) : attackers;
        for (const [index, attacker] of tried.entries()) {
          if (kind === 'new') planted.push(randomUUID());
          const said = planted[index % planted.length] ?? '';
          const made = { row: { ...placeOf(table).Item, [keysOf(table).at(-1) ?? '']: said }, said };
          const victim = (await honestRow(attacked, table, kind)) ?? made;
          attacked.told.length = 0;
          const attackedAt = Date.now();
          await send(attacker, forgery(kind, table, attacker, victim.row));
          if (finder) await attacked.stage().runSchedule(finder);
          await eventually(() => expect(attacked.told.join()).toContain(victim.said));
          seconds.push((Date.now() - attackedAt) / 1000);
          console.log(`${table.name}, ${kind}, by ${attacker.by.bundle}: ${seconds.at(-1)} s`);
        }
      }
      expect(Math.max(...seconds)).toBeLessThan(60);
    },
  );

  test('were tried', () => {
    const count = (state: string) => attacks.filter((each) => each.state === state).length;
    console.log(
      `${attacks.length} allowed: ${count('discovered')} discovered, ${count('open')} open; ${seconds.length} measured, ` +
        `${Math.min(...seconds)} to ${Math.max(...seconds)} s`,
    );
    expect(seconds.length).toBeGreaterThan(15);
  });
});

describe('by the grants', () => {
  let refused = 0;
  let done = 0;
  test.each(tables.map((table) => [table.name, table] as const))('%s', async (_name, table) => {
    const wrong: string[] = [];
    const place = placeOf(table, 'nobody');
    const attackers = attackersOf(table);
    for (const { by, accesses } of attackers) {
      const { dynamo } = attacked.as(by.bundle, by.application);
      for (const [way, { by: granting, make }] of Object.entries(ways)) {
        // What no access grants is tried by the last one, who has most.
        if (granting.length === 0 && by !== attackers.at(-1)?.by) continue;
        const outcome = await dynamo.send(make(place) as never).then(() => 'done' as const, outcomeOf);
        const wanted = isAllowed(way, table, accesses) ? 'done' : 'refused';
        if (outcome !== wanted) wrong.push(`${by.bundle} (${accesses}): ${way} is ${outcome}, and should be ${wanted}`);
        if (outcome === 'done') done += 1;
        else refused += 1;
      }
    }
    expect(wrong).toEqual([]);
  });

  test('were tried', () => {
    console.log(`${tables.length} tables, ${refused} calls refused, ${done} done`);
    expect(refused).toBeGreaterThan(1000);
  });
});
