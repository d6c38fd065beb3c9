import { expect, test } from 'vitest';
import { consumers } from '../../functions/domains.ts';
import { applications, environments } from '../../functions/product.ts';
import { Clock } from '../../functions/time-machine/tables.ts';
import { type Consumer, runsIn } from '../../lib/contract/consumer.ts';
import { listedTables } from '../../lib/contract/table-names.ts';
import { table, tableVariable } from '../../lib/contract/tables.ts';
import { read, tablesIn, usesIn } from '../../lib/contract/uses.ts';
import { readStageModel } from '../../lib/local/index.ts';
import { tableNamed } from '../../lib/local/physical-names.ts';
import { lambdaWithTables } from '../../lib/runtime/clients.ts';
import { bindingsOf } from '../../lib/runtime/consume.ts';
import type { TableHandle } from '../../lib/runtime/table-handle.ts';
import { functionName } from '../../lib/stack/names.ts';
import { stage } from './stage.ts';

test.each(environments)('%s: a consumer finds the tables that its declaration names', (environment) => {
  const model = readStageModel(stage(environment));
  const withLists = new Set<string>();
  for (const { id, consumer } of consumers) {
    const tables = tablesIn(usesIn(consumer.uses, environment)).map(([table]) => table);
    const listed = listedTables(tables);
    if (listed.length > 0) withLists.add(id);
    // The code that reads the clock knows only its own variable.
    expect(listed.map(({ name }) => name)).not.toContain(Clock.name);
    for (const application of applications.filter((each) => runsIn(consumer, each))) {
      const made = model.functions.find(({ operation, environment: { APPLICATION } }) => {
        return operation === functionName(id) && APPLICATION === application;
      });
      const variables = made?.environment ?? {};
      const handles: Readonly<Record<string, TableHandle>> = bindingsOf(consumer, {
        ...lambdaWithTables,
        variables,
      }).tables;
      const names = Object.entries(handles).map(([declared, { name }]) => [declared, name]);
      expect(names, id).toEqual(tables.map(({ name }) => [name, tableNamed(model, name)]));
    }
  }
  expect([...withLists]).toContain('eraseAccounts');
});

test('code does not read the list of other code', () => {
  const uses = Array.from({ length: 12 }, (_, index) => read(table()(`Things${index}`, { partitionKey: 'userId' })));
  const [erase] = consumers.filter(({ id }) => id === 'eraseAccounts');
  const made = readStageModel(stage('prod')).functions.find(
    ({ operation }) => operation === functionName('eraseAccounts'),
  );
  const variables = {
    ...made?.environment,
    ...Object.fromEntries(uses.map((use) => [tableVariable(use.table), 'any'])),
  };
  const runtime = { ...lambdaWithTables, variables };
  expect(() => bindingsOf({ ...(erase?.consumer as Consumer), uses }, runtime)).toThrow(/^TABLES_\w+ is not set/);
});
