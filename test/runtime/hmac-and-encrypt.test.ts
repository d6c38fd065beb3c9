import { expect, test } from 'vitest';
import type { KeyRing } from '../../lib/contract/key-ring.ts';
import {
  isKeyedHash,
  keyedDigits,
  keyedHash,
  keyedHashes,
  keyIdIn,
  keyIdOf,
  ringFrom,
  seal,
  UnknownKey,
  unseal,
} from '../../lib/runtime/hmac-and-encrypt.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)] as const;
/** The four texts of a replacement, as functions read them. */
const [before, added, used, dropped] = [[a], [a, b], [b, a], [b]] as const satisfies KeyRing[];

test('a key has an id of eight characters, which tells nothing about it', () => {
  expect(keyIdOf(a)).toMatch(/^[0-9a-f]{8}$/);
  expect(keyIdOf(a)).toBe(keyIdOf(a));
  expect(keyIdOf(b)).not.toBe(keyIdOf(a));
});

test('a hash says its key, and is the same whatever other keys are known', () => {
  const hash = keyedHash(before, 'use', 'text');
  expect(hash).toMatch(/^[0-9a-f]{8}\.[\w-]{43}$/);
  expect(keyIdIn(hash)).toBe(keyIdOf(a));
  expect(keyedHash(added, 'use', 'text')).toBe(hash);
  expect(keyedHash(before, 'another use', 'text')).not.toBe(hash);
  expect(keyIdIn(keyedHash(used, 'use', 'text'))).toBe(keyIdOf(b));
  expect(keyedHashes(used, 'use', 'text')).toEqual([keyedHash(dropped, 'use', 'text'), hash]);
});

test('a hash is known as long as its key is', () => {
  const hash = keyedHash(before, 'use', 'text');
  for (const ring of [before, added, used]) {
    expect(isKeyedHash(ring, 'use', 'text', hash)).toBe(true);
    expect(isKeyedHash(ring, 'use', 'other', hash)).toBe(false);
    expect(isKeyedHash(ring, 'other', 'text', hash)).toBe(false);
    // As under the other key, with the name of this one.
    expect(isKeyedHash(ring, 'use', 'text', keyedHash([b], 'use', 'text').replace(/^.{8}/, keyIdOf(a)))).toBe(false);
  }
  expect(isKeyedHash(dropped, 'use', 'text', hash)).toBe(false);
  for (const text of ['', '.', keyIdOf(a), `${keyIdOf(a)}.`])
    expect(isKeyedHash(used, 'use', 'text', text)).toBe(false);
});

test('what is sealed opens as long as its key is known; what is sealed later has the new key', () => {
  const sealed = seal(before, 'use', 'text', 'place');
  expect(keyIdIn(sealed)).toBe(keyIdOf(a));
  for (const ring of [before, added, used]) expect(unseal(ring, 'use', sealed, 'place')).toBe('text');
  expect(() => unseal(dropped, 'use', sealed, 'place')).toThrow(UnknownKey);
  expect(keyIdIn(seal(added, 'use', 'text', 'place'))).toBe(keyIdOf(a));
  const later = seal(used, 'use', 'text', 'place');
  expect(keyIdIn(later)).toBe(keyIdOf(b));
  // A function that was not told yet which key is used now knows it all the same.
  for (const ring of [added, used, dropped]) expect(unseal(ring, 'use', later, 'place')).toBe('text');
});

test('what was altered does not open, also under the name of another known key', () => {
  const sealed = seal(before, 'use', 'text', 'place');
  const altered = [
    `${sealed}A`,
    `${sealed}=`,
    `${sealed.slice(0, -2)}`,
    sealed.replace(/^.{8}/, keyIdOf(b)),
    keyIdOf(a),
  ];
  for (const text of altered) expect(() => unseal(used, 'use', text, 'place')).toThrow();
  for (const text of ['', '.', sealed.slice(9)]) expect(() => unseal(used, 'use', text, 'place')).toThrow(UnknownKey);
  expect(() => unseal(used, 'use', sealed, 'elsewhere')).toThrow();
  expect(() => unseal(used, 'other', sealed, 'place')).toThrow();
});

test('a value can be made again with the key that it was first made with', () => {
  expect(ringFrom(used, keyIdOf(a))).toEqual(added);
  expect(keyedDigits(ringFrom(used, keyIdOf(a)), 'use', 'text', 6)).toBe(keyedDigits(before, 'use', 'text', 6));
  expect(keyedDigits(used, 'use', 'text', 6)).not.toBe(keyedDigits(before, 'use', 'text', 6));
  expect(() => ringFrom(dropped, keyIdOf(a))).toThrow(UnknownKey);
});
