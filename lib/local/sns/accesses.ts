import type { AuthorizationRequest } from '../iam-accesses.ts';
import type { RegionAndAccount } from './arns.ts';
import type { SnsCall } from './wire.ts';

/**
 * What IAM checks for a call of SNS: its action on the ARN that it names, as SNS's own refusals show
 * (`… is not authorized to perform: SNS:Publish on resource: arn:aws:sns:…:endpoint/APNS/…`).
 * A call that names no existing resource is checked on all resources of the account.
 */
export function snsAccesses(
  { action, parameters }: Pick<SnsCall, 'action' | 'parameters'>,
  account: RegionAndAccount,
): AuthorizationRequest[] {
  return [{ action: `sns:${action}`, resource: resourceOf(action, parameters, account), context: {}, unknown: [] }];
}

function resourceOf(
  action: string,
  parameters: SnsCall['parameters'],
  { region, accountId }: RegionAndAccount,
): string {
  const { TargetArn, TopicArn, EndpointArn, PlatformApplicationArn, Platform, Name } = parameters;
  if (action === 'CreatePlatformApplication') return `arn:aws:sns:${region}:${accountId}:app/${Platform}/${Name}`;
  const named = TargetArn ?? TopicArn ?? EndpointArn ?? PlatformApplicationArn;
  return named || `arn:aws:sns:${region}:${accountId}:*`;
}
