import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';

/** Cognito takes some 100 ms to check a password, more under load. Two tries of three seconds end within a function's ten. */
const handlerLimits = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true } as const;

let made: CognitoIdentityProviderClient | undefined;
let madeOnce: CognitoIdentityProviderClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function cognito(): CognitoIdentityProviderClient {
  made ??= new CognitoIdentityProviderClient({ maxAttempts: 2, requestHandler: handlerLimits });
  return made;
}

/**
 * For calls that Cognito accepts only once: if an answer is lost, it would refuse the SDK's own retry. Every call opens a
 * new connection: a kept one may have died while the environment was frozen, and there is no second try.
 */
export function cognitoOnce(): CognitoIdentityProviderClient {
  const fresh = { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } };
  madeOnce ??= new CognitoIdentityProviderClient({ maxAttempts: 1, requestHandler: { ...handlerLimits, ...fresh } });
  return madeOnce;
}
