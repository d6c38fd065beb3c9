import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { rawSignature } from '../../lib/runtime/sign.ts';

/** A DER INTEGER of these bytes, with the zero that keeps it positive. */
function integer(...bytes: number[]): number[] {
  const value = (bytes[0] ?? 0) > 0x7f ? [0, ...bytes] : bytes;
  return [0x02, value.length, ...value];
}
const sequence = (...content: number[]) => Buffer.from([0x30, content.length, ...content]);

describe('r and s from the signature of KMS', () => {
  test('a short number is padded, and a long number loses its leading zero', () => {
    const r = Array.from({ length: 32 }, () => 0xff);
    const raw = rawSignature(sequence(...integer(...r), ...integer(0x01)));
    expect(raw.toString('hex')).toBe(`${'ff'.repeat(32)}${'00'.repeat(31)}01`);
  });

  test('verifies like the original signature, for all lengths', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const lengths = new Set<number>();
    for (let index = 0; index < 600; index += 1) {
      const data = Buffer.from(`statement ${index}`);
      const der = sign('sha256', data, privateKey);
      lengths.add(der.length);
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', data, key, rawSignature(der))).toBe(true);
    }
    expect(lengths.size).toBeGreaterThan(2);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no sequence', Buffer.from([0x02, 0x01, 0x01])],
    ['a sequence that ends early', sequence(...integer(1), ...integer(1)).subarray(0, 6)],
    ['an integer that is cut off', Buffer.from([0x30, 0x04, 0x02, 0x20, 0x01, 0x02])],
    ['an integer of another curve', sequence(...integer(...Array.from({ length: 48 }, () => 1)), ...integer(1))],
    ['one integer', sequence(...integer(1))],
  ])('%s is refused', (_name, der) => {
    expect(() => rawSignature(der)).toThrow('KMS gave a signature');
  });
});
