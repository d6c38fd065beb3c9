import { kebabCase } from '../contract/kebab-case.ts';

/** Names that are derived from other names. */

/** The bundle's and the function's name: `revokeConsent` → `revoke-consent`. */
export function functionName(operationId: string): string {
  return kebabCase(operationId);
}

/** WAF writes only to a log group whose name begins like this. */
export function blockedRequestsLog(environment: string): string {
  return `aws-waf-logs-mobile-health-${environment}`;
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
