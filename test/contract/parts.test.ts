import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';

/** What a function is given, as its declaration asks for it. */

const entries = new Map(
  functionEntries(declarations).map(({ name, parts = [] }) => [name, parts.map((part) => part.name)]),
);

test.each([
  ['agree', ['lambdaWithClock']],
  ['list-devices', ['lambdaWithClock', 'paging']],
  ['search-own-fhir', ['lambdaWithClock', 'ownPaging']],
  ['list-patients', ['lambdaWithClock', 'paging', 'withAccess']],
  ['put-questionnaire-response', ['lambdaWithClock', 'otherBodies']],
  ['read-health', ['lambda']],
  // They answer at an app's start, and rather without their table than late.
  ['check-app-version', ['lambdaInHaste']],
  ['read-mobile-settings', ['lambdaInHaste']],
  ['publish-consent-events', ['lambda']],
  ['count-consents', ['lambdaWithTables']],
  ['check-ledger', ['lambdaWithClock']],
  ['sign-receipt', ['lambdaWithClock']],
  ['authorizer', []],
])('%s: %o', (name, expected) => {
  expect(entries.get(name)).toEqual(expected);
});
