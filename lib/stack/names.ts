import { kebabCase } from '../contract/kebab-case.ts';
import { type Procedure, procedureName } from '../contract/procedures.ts';

/** Names that are derived from other names. */

/** The bundle's and the function's name: `revokeConsent` → `revoke-consent`. */
export function functionName(operationId: string): string {
  return kebabCase(operationId);
}

/** WAF writes only to a log group whose name begins like this. */
export function blockedRequestsLog(environment: string): string {
  return `aws-waf-logs-mobile-health-${environment}`;
}

/**
 * The function that a user pool calls before it signs a token. The name is fixed, so that the pool can name a function whose variables name
 * the pool's client.
 */
export function tokenTriggerName(environment: string, application: string): string {
  return `mobile-health-${environment}-${application}-tokens`;
}

/** Lambda's limit: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const longestName = 64;

/**
 * The function that performs a procedure in an application. The name is fixed, so that a caller in another stack names it without a
 * reference between the stacks.
 *
 * @throws an Error where Lambda would refuse the name
 */
export function procedureFunctionName(
  environment: string,
  application: string,
  procedure: Pick<Procedure, 'name'>,
): string {
  const name = `mobile-health-${environment}-${application}-${procedureName(procedure)}`;
  if (name.length > longestName) throw new Error(`${name}: a function's name has at most ${longestName} characters`);
  return name;
}

/** The section of docs/runbook.md about an alarm: `PushQueueGivenUp` → `push-queue-given-up`. */
export function runbookAnchor(alarmId: string): string {
  return functionName(alarmId).slice(1);
}

/** A logical id, which may have only letters and digits: `revoke-consent` → `RevokeConsent`. */
export function logicalId(...names: string[]): string {
  return names
    .flatMap((name) => name.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
