import * as cognito from '@aws-sdk/client-cognito-identity-provider';
import { beforeAll, expect, test } from 'vitest';
import { consumers, declarations, operations } from '../../functions/domains.ts';
import { bundleGroup } from '../../lib/bundle/bundle.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { ofKind } from '../../lib/contract/uses.ts';
import { functionName } from '../../lib/stack/names.ts';
import { poolActions } from '../stack/expected-statements.ts';

/** What functions may do in a user pool, and what their code does there. */

const needIam = Object.keys(cognito).flatMap(
  (name) => /^(Admin\w+|ListUsers|ListGroups|ListUsersInGroup)Command$/.exec(name)?.[1] ?? [],
);

const users = [
  ...operations.map(({ id, route: { uses = [] } }) => ({ name: functionName(id), uses })),
  ...consumers.map(({ id, consumer: { uses } }) => ({ name: functionName(id), uses })),
].filter(({ uses }) => ofKind(uses, 'userPool').length > 0);

const called = new Map<string, string[]>();

beforeAll(async () => {
  const names = users.map(({ name }) => name);
  const entries = functionEntries(declarations).filter(({ name }) => names.includes(name));
  for (let from = 0; from < entries.length; from += 16) {
    const group = entries.slice(from, from + 16);
    const { code } = await bundleGroup(group);
    for (const entry of group) {
      const text = Buffer.from(code(entry)).toString();
      called.set(
        entry.name,
        // Each command's schema has the action's name as a text. What nobody calls is not in the bundle.
        needIam.filter((action) => text.includes(`"${action}"`)),
      );
    }
  }
});

test('there are functions that use a pool, and actions that need a grant', () => {
  expect(users.length).toBeGreaterThan(20);
  expect(needIam).toEqual(expect.arrayContaining(['AdminGetUser', 'AdminSetUserPassword', 'ListUsers']));
});

test.each(users)('$name may do what its code calls, and nothing else', ({ name, uses }) => {
  expect(poolActions(uses).toSorted()).toEqual(called.get(name)?.toSorted());
});
