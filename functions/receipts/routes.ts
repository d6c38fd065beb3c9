import * as z from 'zod/mini';
import { readBelow } from '../../lib/contract/bucket-uses.ts';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, continueWith, get, joined, read, verifyWith } from '../../lib/contract/uses.ts';
import { AgreementNotFound } from '../agreements/errors.ts';
import { Agreements } from '../agreements/tables.ts';
import { readOwnConsents } from '../consents/permissions.ts';
import { ConsentRecord } from '../consents/schemas.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { Evidence } from '../ledger/buckets.ts';
import { keysPrefix, revocationsPrefix } from './buckets.ts';
import { ConsentNotFound, ConsentRecordNotFound } from './errors.ts';
import { ReceiptKey, RevocationKey, VouchingKey } from './signing-keys.ts';
import { ConsentReceipts } from './tables.ts';

const both = ['sleepcare', 'medinfo'] as const;

export type SignedRecord = z.output<typeof ConsentRecord>;

/** A compact JWS (RFC 7515). */
const Jws = z.string();

export const KeyRevocation = z.object({ revoked_at: z.int() });

export const SigningKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  /** Since when it is revoked, in seconds since 1970: what it signed is to be looked at. */
  revoked: z.optional(KeyRevocation),
});

const knowingKeys = [
  verifyWith(VouchingKey),
  verifyWith(RevocationKey),
  readBelow(Evidence, keysPrefix),
  readBelow(Evidence, revocationsPrefix),
] as const;

const signing = joined(
  [read(ConsentRecords), read(ConsentReceipts), append(ConsentReceipts), read(Agreements), continueWith(ReceiptKey)],
  knowingKeys,
);

export const ReceiptWarning = z.object({ code: z.enum(['KEY_REVOKED']), since: Timestamp });

const refusals = [
  'MALFORMED',
  'WRONG_TYPE',
  'UNKNOWN_KEY',
  'BAD_SIGNATURE',
  'WRONG_ISSUER',
  'WRONG_HASH',
  'NOT_IN_LEDGER',
  'CLAIMS_DIFFER',
] as const;

export const Receipt = z.object({
  receiptId: Id,
  agreementId: Id,
  issuedAt: Timestamp,
  receipt: Jws,
  record: ConsentRecord,
});

export const readReceipt = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/receipt',
  summary: "The caller's latest consent to an agreement as a signed receipt",
  description:
    'A JWS by ES256 over the latest consent record, be it a consent or a revocation, for the user to keep. It verifies ' +
    'with any JOSE library by the keys at `/.well-known/jwks.json`, without this service. A record has one receipt: ' +
    'asking again answers the same.',
  applications: both,
  auth: readOwnConsents,
  uses: signing,
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  response: Receipt,
  errors: [AgreementNotFound, ConsentNotFound],
});

export const readReceiptOfRecord = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/history/{recordId}/receipt',
  summary: "Any of the caller's consent records as a signed receipt",
  description:
    'As the receipt of the latest record, for one that the history shows: after a revocation, the proof of the consent ' +
    'before it. A record has one receipt, whichever way it is asked for.',
  applications: both,
  auth: readOwnConsents,
  uses: signing,
  params: z.object({ agreementId: pathId(AgreementNotFound), recordId: pathId(ConsentRecordNotFound) }),
  response: Receipt,
  errors: [AgreementNotFound, ConsentRecordNotFound],
});

export const verifyReceipt = route({
  method: 'POST',
  path: '/agreements/receipts/verify',
  summary: 'Whether a receipt is one of ours, unaltered',
  description:
    'Says that this environment signed exactly this record; not that the consent still holds. `reason` is null for a ' +
    'valid receipt: `MALFORMED` is no JWS by ES256, `WRONG_TYPE` a signature over something else, `UNKNOWN_KEY` signed ' +
    'elsewhere or in another environment, `BAD_SIGNATURE` altered, `WRONG_ISSUER` another environment’s, `WRONG_HASH` about ' +
    'a record that is not what its own hash says, `NOT_IN_LEDGER` about one that the ledger does not have, or no longer, ' +
    '`CLAIMS_DIFFER` with something beside the record that ledger and catalogue do not say: `differs` names each claim. ' +
    '`warning` is not null where the key was revoked since: the record is the ledger’s all the same.',
  applications: both,
  auth: 'public',
  uses: joined([get(ConsentRecords), get(Agreements), verifyWith(ReceiptKey)], knowingKeys),
  body: z.object({ receipt: Jws }),
  response: z.object({
    valid: z.boolean(),
    reason: z.nullable(z.enum(refusals)),
    /** Paths, as `consent.privacyNotice.hash`. */
    differs: z.array(z.string()),
    record: z.nullable(ConsentRecord),
    warning: z.nullable(ReceiptWarning),
  }),
  errors: [],
});

export const readSigningKeys = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that verify receipts (RFC 7517), retired ones included',
  description:
    'A key is here before the first receipt that it signs. It stays, and says since when it is revoked where it is. A ' +
    'verifier that does not find a `kid` asks again.',
  applications: both,
  auth: 'public',
  uses: joined([verifyWith(ReceiptKey)], knowingKeys),
  cacheControl: 'public, max-age=300',
  response: z.object({ keys: z.array(SigningKey) }),
  errors: [],
});
