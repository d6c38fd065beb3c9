import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import type { PublicJwk } from '../../../lib/runtime/jws.ts';
import { publicJwk } from '../../../lib/runtime/sign.ts';
import type { TrustedKeys } from '../../../lib/runtime/signed.ts';

/**
 * The keys that may sign checkpoints. The person who checks names them, by KMS's ARNs or as a JWKS that was kept
 * elsewhere. The key that a checkpoint's header or a table names is not used: an attacker who can write there could name
 * their own key.
 */

const Jwks = z.object({
  keys: z.array(z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })),
});

type Sources = {
  readonly kms: KMSClient;
  /** ARNs of the current key and of retired ones: `signingKeyGenerations` keeps them in KMS. */
  readonly arns: readonly string[];
  /** The text of a JWKS (RFC 7517); `kid` is ignored, since it follows from the thumbprint. */
  readonly jwks: string | null;
};

export async function readTrustedKeys({ kms, arns, jwks }: Sources): Promise<TrustedKeys> {
  const asked = arns.map(async (arn) => {
    const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: arn }));
    if (!PublicKey) throw new Error(`KMS gave no public key of ${arn}`);
    return publicJwk(PublicKey);
  });
  const given = jwks === null ? [] : z.parse(Jwks, JSON.parse(jwks)).keys.map(thumbprinted);
  const keys = [...(await Promise.all(asked)), ...given];
  return new Map(keys.map((key) => [key.kid, key]));
}

function thumbprinted(jwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string }): PublicJwk {
  return publicJwk(createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }));
}
