import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { cognitoLimits } from './limits.ts';

let made: CognitoIdentityProviderClient | undefined;
let madeOnce: CognitoIdentityProviderClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function cognito(): CognitoIdentityProviderClient {
  made ??= new CognitoIdentityProviderClient(cognitoLimits);
  return made;
}

/**
 * For calls that Cognito accepts only once: if an answer is lost, it would refuse the SDK's own retry. Every call opens a
 * new connection: a kept one may have died while the environment was frozen, and there is no second try.
 */
export function cognitoOnce(): CognitoIdentityProviderClient {
  const fresh = { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } };
  madeOnce ??= new CognitoIdentityProviderClient({
    maxAttempts: 1,
    requestHandler: { ...cognitoLimits.requestHandler, ...fresh },
  });
  return madeOnce;
}
