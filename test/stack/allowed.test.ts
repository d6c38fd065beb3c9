import { expect, test } from 'vitest';
import type { TableAccess } from '../../lib/contract/uses.ts';
import type { Action, Allowed } from '../../lib/runtime/table-handle.ts';
import { useOfTable } from '../../lib/stack/grants.ts';

/** What compiles is what IAM allows: the types of handles, and the grants. */

/** As IAM names them. A condition on the transaction tells those apart that a function may also do by itself. */
const named: Record<Action, readonly [action: string, isByItself: boolean]> = {
  get: ['GetItem', true],
  batchGet: ['BatchGetItem', true],
  query: ['Query', true],
  scan: ['Scan', true],
  put: ['PutItem', false],
  update: ['UpdateItem', false],
  remove: ['DeleteItem', false],
  check: ['ConditionCheckItem', false],
  putRow: ['PutItem', true],
  updateRow: ['UpdateItem', true],
  removeRow: ['DeleteItem', true],
};

/** The type `Allowed` as a value: it lists all actions of each access, or does not compile. */
const allowed: { readonly [A in TableAccess]: { readonly [K in Allowed[A]]: true } } = {
  get: { get: true },
  batch: { batchGet: true },
  read: { get: true, query: true },
  scan: { scan: true },
  write: { get: true, query: true, put: true, update: true, putRow: true, updateRow: true },
  remove: { get: true, query: true, remove: true, removeRow: true },
  discard: { remove: true },
  append: { put: true },
  replace: { put: true, remove: true },
  adjust: { update: true },
  expire: { query: true, updateRow: true },
  check: { check: true },
};

const all = Object.keys(named) as Action[];

test.each(Object.keys(allowed) as TableAccess[])('%s allows in a handle what it grants', (access) => {
  const statements = useOfTable('arn', [access], { partitionKey: 'id' });
  const granted = all.filter((action) => {
    const [name, isByItself] = named[action];
    return statements.some(
      ({ Action, Condition }) => Action.includes(`dynamodb:${name}`) && !(isByItself && Condition !== undefined),
    );
  });
  // The expiry role may set the expiry (lib/stack/ledger.ts).
  const expected = Object.keys(allowed[access]).filter((action) => !(access === 'expire' && action === 'updateRow'));
  expect(granted.toSorted()).toEqual(expected.toSorted());
});
