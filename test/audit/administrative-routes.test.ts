import { describe, expect, test } from 'vitest';
import { AuditEvents } from '../../functions/audit/tables.ts';
import { operations } from '../../functions/domains.ts';
import { authOf } from '../../lib/contract/route.ts';
import { changesTables, ofKind, tablesIn } from '../../lib/contract/uses.ts';

/** Every administrative write leaves an audit event: there is no other way to write one than in the write's transaction. */

/** Those that change nothing, and why. */
const harmless: Record<string, string> = {
  importQuestionnaire:
    'answers the definition that a FHIR resource is, and writes nothing; publishing it is another request',
  simulateQuestionnaire: 'answers what a definition would score, and writes nothing',
  simulateAppVersionPolicy: 'answers what a policy would tell, and writes nothing',
  simulateMobileSetting: 'answers what a phone would get, and writes nothing',
  signContentUpload: 'signs a form; what is uploaded by it counts when it is published',
};

const writing = operations.filter(({ route }) => authOf(route).endsWith(':admin') && route.method !== 'GET');

describe.each(writing)('$id', ({ id, route }) => {
  const ofTables = tablesIn(route.uses);
  const writes = changesTables(route.uses) || ofKind(route.uses, 'bucket').some(({ access }) => access !== 'upload');

  test(id in harmless ? 'changes nothing' : 'appends an audit event', () => {
    expect(writes).toBe(!(id in harmless));
    const ofAudit = ofTables.find(([table]) => table === AuditEvents);
    expect(ofAudit?.[1]).toEqual(id in harmless ? undefined : ['append']);
  });

  // A put by itself would be a change without its event, or an event without its change.
  test('writes to tables only within transactions', () => {
    const accesses = ofTables.flatMap(([, each]) => each);
    expect(
      accesses.filter((access) => !['get', 'batch', 'read', 'check', 'append', 'replace', 'adjust'].includes(access)),
    ).toEqual([]);
  });
});

test('each exception is a route', () => {
  expect(Object.keys(harmless).filter((name) => !writing.some(({ id }) => id === name))).toEqual([]);
});
