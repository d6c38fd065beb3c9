import { describe, expect, test } from 'vitest';
import { InvalidCursor } from '../../lib/contract/common-errors.ts';
import { openCursor, sealCursor } from '../../lib/runtime/cursor.ts';
import { Failure } from '../../lib/runtime/failure.ts';

const secret = ['secret'] as const;
const binding = ['sleepcare', 'user', 'GET /things/{id}', '{"id":"a"}'];
const position = { recordedAt: '2026-03-01T12:00:00.000Z', count: 7 };
const cursor = sealCursor(position, secret, binding);
const refused = new Failure(InvalidCursor);

test('opens only in its own context, and readers cannot see its content', () => {
  expect(openCursor(cursor, secret, binding)).toEqual(position);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('2026');
  expect(sealCursor(position, secret, binding)).not.toBe(cursor);
});

describe('is refused', () => {
  test.each([
    ['in another application', 0, 'medinfo'],
    ['for another caller', 1, 'other'],
    ['on another route', 2, 'GET /others/{id}'],
    ['for another resource', 3, '{"id":"b"}'],
  ])('%s', (_name, part, other) => {
    const elsewhere = binding.map((value, index) => (index === part ? other : value));
    expect(() => openCursor(cursor, secret, elsewhere)).toThrow(refused);
  });

  test('if the parts are the same text, divided at another place', () => {
    const cut = ['sleepcareuser', '', ...binding.slice(2)];
    expect(() => openCursor(cursor, secret, cut)).toThrow(refused);
  });

  test('under another secret', () => {
    expect(() => openCursor(cursor, ['other'], binding)).toThrow(refused);
  });

  test.each([
    '',
    ' ',
    'x',
    'null',
    '%',
    `${cursor}=`,
    ` ${cursor}`,
    `${cursor}A`,
    cursor.slice(0, -4),
    'A'.repeat(9_000),
  ])('when it is %j', (made) => {
    expect(() => openCursor(made, secret, binding)).toThrow(refused);
  });

  test('with any one bit changed', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const turned = Buffer.from(bytes);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => openCursor(turned.toString('base64url'), secret, binding)).toThrow(refused);
    }
  });
});
