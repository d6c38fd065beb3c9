import type { KMSClient } from '@aws-sdk/client-kms';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { signCompact } from '../../../lib/runtime/sign.ts';
import { revocationStatement, revocationType } from '../rules/key-statement.ts';
import { type KeyTrust, putStatement, readKeys, revocationObject } from '../stores/published-keys.ts';

export type Revoking = {
  readonly evidence: Objects;
  readonly kms: KMSClient;
  readonly trust: KeyTrust;
  /** With the operator's own credentials: no function may sign with it. */
  readonly revocationKeyArn: string;
};

/**
 * Revokes a key of receipts or manifests from a time on, for good: of several revocations the earliest counts.
 *
 * @throws an Error in one sentence: the key is not ours, or it is already revoked from that time or earlier
 */
export async function revokeKey(revoking: Revoking, kid: string, revokedAt: Date): Promise<void> {
  const { evidence, kms, trust, revocationKeyArn } = revoking;
  const key = (await readKeys(evidence, trust)).find((one) => one.kid === kid);
  if (!key) throw new Error(`no key ${kid} of receipts or manifests`);
  const at = revokedAt.toISOString();
  if (key.revokedAt !== null && key.revokedAt <= at) throw new Error(`${kid} is revoked since ${key.revokedAt}`);
  const said = revocationStatement(trust.environment, kid, at);
  const statement = await signCompact(kms, revocationKeyArn, said, revocationType);
  if (!(await putStatement(evidence, revocationObject(kid, at), statement)))
    throw new Error(
      `${revocationObject(kid, at)} has an object that nobody signed: choose another time, a millisecond later, with --from`,
    );
}
