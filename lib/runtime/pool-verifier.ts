import { elapsedMs } from './elapsed.ts';
import { fetchKeys, keyCache } from './jwks.ts';
import type { Runtime } from './runtime.ts';
import { tokenVerifier } from './token.ts';

/** Verifies access tokens of one user pool by its published keys, which are fetched once and kept. */
export function poolVerifier(
  pool: { userPoolId: string; clientIds: string[] },
  { variables, realNow }: Pick<Runtime, 'variables' | 'realNow'>,
  load = fetchKeys,
): ReturnType<typeof tokenVerifier> {
  const { userPoolId } = pool;
  const region = userPoolId.split('_')[0];
  const issuer = variables.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER ?? `https://cognito-idp.${region}.amazonaws.com`;
  const keys = keyCache(() => load(`${issuer}/${userPoolId}/.well-known/jwks.json`), elapsedMs);
  return tokenVerifier(pool, keys, () => realNow().getTime());
}

/** The token in an `Authorization: Bearer …` header. The scheme may be in any case. */
export function bearerIn(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
