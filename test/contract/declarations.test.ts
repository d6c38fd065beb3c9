import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { declarations } from '../../functions/domains.ts';
import { readOwnProfile } from '../../functions/users/permissions.ts';
import { declarationsOf } from '../../lib/contract/declarations.ts';
import { route } from '../../lib/contract/route.ts';

const readThing = route({
  method: 'GET',
  path: '/things',
  summary: 'A thing of somebody',
  applications: ['medinfo'],
  auth: readOwnProfile,
  dataSubject: { each: 'userId', relation: 'support' },
  response: z.object({}),
  errors: [],
});

test('a route about somebody is refused in a product without rules for it, which would deploy it without grants', () => {
  expect(() => declarationsOf({ things: { routes: { readThing } } }, 'functions')).toThrow(
    'GET /things is about somebody',
  );
});

test('what follows from it is with its operation', () => {
  const rules = { usesOf: () => [], linesOf: () => ['Said.'] };
  const { operations } = declarationsOf({ things: { routes: { readThing } } }, 'functions', rules);
  expect(operations).toMatchObject([{ id: 'readThing', dataSubject: { uses: [], lines: ['Said.'] } }]);
  const guarded = declarations.operations.filter(({ route: { dataSubject } }) => dataSubject !== undefined);
  expect(guarded.length).toBeGreaterThan(40);
  expect(guarded.filter((each) => !each.dataSubject?.uses.length || !each.dataSubject.lines.length)).toEqual([]);
});
