import { describe, expect, test } from 'vitest';
import { issuerOf } from '../../functions/receipts/rules/receipt.ts';
import { manifestType, receiptType } from '../../functions/receipts/rules/signed-types.ts';
import { judgeReceipt } from '../../functions/receipts/rules/verification.ts';

const jws = { kid: 'k1', typ: receiptType, payload: { iss: issuerOf('dev'), record: { recordId: 'r' } } };
const keys = [
  { kid: 'k0', signs: receiptType as string, revokedAt: null },
  { kid: 'k1', signs: receiptType as string, revokedAt: null },
];
const sound = { isSignedBy: () => true, thumbprintOf: ({ kid }: { kid: string }) => kid };

const judge = (
  changed: Partial<typeof jws> | null = {},
  { known = keys, ...checks }: Partial<typeof sound> & { known?: typeof keys } = {},
) => judgeReceipt(changed && { ...jws, ...changed }, known, 'dev', { ...sound, ...checks });

describe('a receipt', () => {
  test('is of this environment where its key is known and everything fits', () => {
    expect(judge()).toEqual({ refusal: null, claims: jws.payload, revokedAt: null });
  });

  test('is judged by the key that it names, and by no other', () => {
    const tried: string[] = [];
    judge({ kid: 'k0' }, { isSignedBy: (_jws?: unknown, key?: unknown) => tried.push(JSON.stringify(key)) > 0 });
    expect(tried).toEqual([JSON.stringify(keys[0])]);
  });

  test.each<[string, ReturnType<typeof judge>]>([
    ['MALFORMED', judge(null)],
    ['WRONG_TYPE', judge({ typ: 'ledger-checkpoint+jwt' })],
    ['UNKNOWN_KEY', judge({ kid: 'k2' })],
    ['UNKNOWN_KEY', judge({}, { known: [] })],
    // A key of ours that signs something else.
    ['UNKNOWN_KEY', judge({}, { known: keys.map((key) => ({ ...key, signs: manifestType })) })],
    // Somebody put a key of theirs under another one's id.
    ['UNKNOWN_KEY', judge({}, { thumbprintOf: () => 'k9' })],
    ['BAD_SIGNATURE', judge({}, { isSignedBy: () => false })],
    ['WRONG_ISSUER', judge({ payload: { ...jws.payload, iss: issuerOf('prod') } })],
    // What comes first is what is told.
    ['BAD_SIGNATURE', judge({ payload: { ...jws.payload, iss: issuerOf('prod') } }, { isSignedBy: () => false })],
    ['WRONG_TYPE', judge({ typ: 'ledger-tombstone+jwt', kid: 'k2' })],
  ])('is refused as %s', (refusal, verdict) => {
    expect(verdict).toEqual({ refusal });
  });
});
