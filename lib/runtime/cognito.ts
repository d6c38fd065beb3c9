import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';

/** A password takes Cognito some 100 ms to check, more under load; two tries of three seconds end within a function's ten. */
const callLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

let made: CognitoIdentityProviderClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function cognito(): CognitoIdentityProviderClient {
  made ??= new CognitoIdentityProviderClient(callLimits);
  return made;
}
