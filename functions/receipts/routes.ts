import * as z from 'zod/mini';
import { Id, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { callTo, get, joined, read, verifyWith } from '../../lib/contract/uses.ts';
import { AgreementNotFound } from '../agreements/errors.ts';
import { readOwnConsents } from '../agreements/permissions.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecord } from '../consents/schemas.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { ConsentNotFound, ConsentRecordNotFound } from './errors.ts';
import { SignReceipt } from './procedures.ts';
import { knowingKeys, ReceiptWarning } from './schemas.ts';
import { ReceiptKey, ResearchManifestKey } from './signing-keys.ts';
import { ConsentReceipts } from './tables.ts';

export { ReceiptWarning } from './schemas.ts';

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
  /** The header `typ` of what the key signs. A verifier refuses the key for anything else. */
  signs: z.enum(['consent-receipt+jwt', 'research-export+jwt']),
  /** Since when the key is revoked, in seconds since 1970: somebody must check the receipts that it signed. */
  revoked: z.optional(KeyRevocation),
});

const receiving = joined(
  [read(ConsentRecords), get(ConsentReceipts), read(Agreements), verifyWith(ReceiptKey), callTo(SignReceipt)],
  knowingKeys,
);

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
    'A JWS (ES256) over the latest consent record, which is a consent or a revocation. The user can keep it. Any ' +
    'JOSE library can verify it with the keys at `/.well-known/jwks.json`, without this service. Each record has ' +
    'one receipt: every request gets the same one.',
  applications: both,
  auth: readOwnConsents,
  uses: receiving,
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  response: Receipt,
  errors: [AgreementNotFound, ConsentNotFound],
});

export const readReceiptOfRecord = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/history/{recordId}/receipt',
  summary: "Any of the caller's consent records as a signed receipt",
  description:
    'Like the receipt of the latest record, but for any record in the history. For example, after a revocation it ' +
    'proves the consent before it. Each record has one receipt, and both routes return the same one.',
  applications: both,
  auth: readOwnConsents,
  uses: receiving,
  params: z.object({ agreementId: pathId(AgreementNotFound), recordId: pathId(ConsentRecordNotFound) }),
  response: Receipt,
  errors: [AgreementNotFound, ConsentRecordNotFound],
});

export const verifyReceipt = route({
  method: 'POST',
  path: '/agreements/receipts/verify',
  summary: 'Whether this service signed a receipt, and whether it is unchanged',
  description:
    'The answer says whether this environment signed exactly this record. It does not say whether the consent ' +
    'still holds. `reason` is null for a valid receipt. `MALFORMED`: not a JWS with ES256. `WRONG_TYPE`: a ' +
    'signature over something else. `UNKNOWN_KEY`: signed elsewhere or in another environment. `BAD_SIGNATURE`: ' +
    'altered. `WRONG_ISSUER`: issued by another environment. `WRONG_HASH`: the record does not match its own ' +
    'hash. `NOT_IN_LEDGER`: the ledger does not have the record, or no longer has it. `CLAIMS_DIFFER`: a claim ' +
    'outside the record differs from the ledger or the catalogue, and `differs` names each such claim. `warning` ' +
    'is not null if the key was revoked since then; the record is still in the ledger.',
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
  summary: 'The public keys that verify receipts and manifests of research exports (RFC 7517), retired ones included',
  description:
    'A key is listed before it signs anything, and stays listed. If it is revoked, it says since when. `signs` is the ' +
    'header `typ` of what it signs, and a verifier refuses the key for anything else. A verifier that does not find a `kid` requests the list again.',
  applications: both,
  auth: 'public',
  uses: joined([verifyWith(ReceiptKey), verifyWith(ResearchManifestKey)], knowingKeys),
  cacheControl: 'public, max-age=300',
  response: z.object({ keys: z.array(SigningKey) }),
  errors: [],
});
