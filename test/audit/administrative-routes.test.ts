import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';

/** Every administrative write leaves an audit event: there is no other way to write one than in the write's transaction. */

/** Those that change nothing, and why. */
const harmless: Record<string, string> = {
  simulateAppVersionPolicy: 'answers what a policy would tell, and writes nothing',
  signContentUpload: 'signs a form; what is uploaded by it counts when it is published',
};

const writing = operations.filter(({ route }) => route.auth.endsWith(':admin') && route.method !== 'GET');

describe.each(writing)('$id', ({ id, route }) => {
  const reads: readonly unknown[] = ['read', 'upload', undefined];
  const writes = Object.values(route.uses ?? {}).some((access) => !reads.includes(access));

  test(id in harmless ? 'changes nothing' : 'appends an audit event', () => {
    expect(writes).toBe(!(id in harmless));
    expect(route.uses?.AuditEvents).toBe(id in harmless ? undefined : 'append');
  });

  // A put by itself would be a change without its event, or an event without its change.
  test('writes to tables within transactions alone', () => {
    const accesses: readonly unknown[] = Object.values(route.uses ?? {});
    expect(accesses.filter((access) => access === 'write' || access === 'delete')).toEqual([]);
  });
});

test('who is excused is a route', () => {
  expect(Object.keys(harmless).filter((name) => !writing.some(({ id }) => id === name))).toEqual([]);
});
