import { describe, expect, test } from 'vitest';
import { isHeld } from '../../lib/contract/permissions.ts';
import { everyone as roles } from '../callers.ts';
import { joinedEntries, written } from '../written-callers.ts';
import { attempts, describeMatrix } from './matrix.ts';

test('the callers of each route are written down, in its domain and for no other route', () => {
  const inFiles = [...written.callers].map(([name, { domain }]) => `${domain}: ${name}`);
  expect(inFiles.toSorted()).toEqual([...new Set(attempts.map(({ name, domain }) => `${domain}: ${name}`))].toSorted());
});

test('what two domains write down is refused', () => {
  const twice = [
    ['one', { 'GET /x': {} }],
    ['two', { 'GET /x': {} }],
  ] as const;
  expect(() => joinedEntries(twice)).toThrow('GET /x stands in the callers.ts of one and of two');
});

/** Public at the gateway: its handler reads the bearer token itself. */
const readsItself = 'GET /auth/tokens/md/access';

describe.each(attempts.filter(({ name }) => name !== readsItself))(
  '$name of $application',
  ({ name, route: { auth }, application }) => {
    test('its permission is held by whom the list says', () => {
      const who = written.callers.get(name)?.who ?? {};
      const held = roles[application].filter(
        (role) => auth === 'public' || isHeld(auth, { roles: role ? [role] : [], application }),
      );
      expect(auth === 'public').toBe(who === 'public');
      expect(held).toEqual(
        who === 'public' ? roles[application] : roles[application].filter((role) => who[application]?.includes(role)),
      );
    });
  },
);

// Each function has to start for it: one in ten over HTTP, from another domain to the next. `matrix.slow.test.ts` asks them all.
describeMatrix(attempts.filter(({ name }, index) => name === readsItself || index % 10 === 0));
