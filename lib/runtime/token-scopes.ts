import { selfServiceScope } from '../contract/tokens.ts';

/** Whether the payload of an access token has the scope that opens Cognito's own API. A scope that is no text counts as one. */
export function hasSelfServiceScope({ scope = '' }: { readonly scope?: unknown }): boolean {
  return typeof scope !== 'string' || scope.split(' ').includes(selfServiceScope);
}

/** The same of an access token that has just come from the user pool. A token that nobody can read counts as one. */
export function opensPool(accessToken: string): boolean {
  const [, payload = ''] = accessToken.split('.');
  try {
    return hasSelfServiceScope(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return true;
  }
}
