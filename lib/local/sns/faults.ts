/**
 * Faults on demand, by the device token that an endpoint has at the time of a Publish:
 *
 * | token              | Publish                                                                                      |
 * |--------------------|----------------------------------------------------------------------------------------------|
 * | `fail-disabled-…`  | disables the endpoint and answers EndpointDisabled, also after it was enabled again          |
 * | `fail-throttled-…` | answers Throttled twice for each token, then delivers; a restart counts again                |
 * | `fail-timeout-…`   | never answers: the client gives up                                                           |
 * | `fail-invalid-…`   | answers InvalidParameter: no endpoint found for the target ARN                               |
 * | `fail-gone-…`      | is accepted; then the push service does not know the token: DeliveryFailure with             |
 * |                    | InvalidPlatformToken, and the endpoint is disabled: the usual way of a removed app on AWS    |
 *
 * Such a token is valid in every platform application, even if SNS accepts only hexadecimal digits there.
 */
const kinds = ['disabled', 'throttled', 'timeout', 'invalid', 'gone'] as const;

export type TokenFault = (typeof kinds)[number];

export function faultOf(token: string): TokenFault | null {
  return kinds.find((kind) => token.startsWith(`fail-${kind}-`)) ?? null;
}

/** True twice for each token. */
export function openThrottle(): (token: string) => boolean {
  const refused = new Map<string, number>();
  return (token) => {
    const count = (refused.get(token) ?? 0) + 1;
    refused.set(token, count);
    return count <= 2;
  };
}
