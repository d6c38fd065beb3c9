import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';

/** A password takes Cognito some 100 ms to check, more under load; two tries of three seconds end within a function's ten. */
const handlerLimits = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true } as const;

let made: CognitoIdentityProviderClient | undefined;
let madeOnce: CognitoIdentityProviderClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function cognito(): CognitoIdentityProviderClient {
  made ??= new CognitoIdentityProviderClient({ maxAttempts: 2, requestHandler: handlerLimits });
  return made;
}

/**
 * For calls that Cognito takes once: after a lost answer the SDK's own repetition would be refused. Every call has a
 * connection of its own, since one that was kept may have died while the environment was frozen, with no second try.
 */
export function cognitoOnce(): CognitoIdentityProviderClient {
  const fresh = { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } };
  madeOnce ??= new CognitoIdentityProviderClient({ maxAttempts: 1, requestHandler: { ...handlerLimits, ...fresh } });
  return madeOnce;
}
