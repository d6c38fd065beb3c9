import { AwsFailure } from '../service/failure.ts';

/** SNS's errors; their codes have no suffix "Exception". */

/** The most common error: `Invalid parameter: <name> Reason: <reason>`, and some sentences without a reason. */
export function invalid(name: string, reason?: string): AwsFailure {
  return new AwsFailure('InvalidParameter', `Invalid parameter: ${name}${reason ? ` Reason: ${reason}` : ''}`);
}

export function notFound(what: string): AwsFailure {
  return new AwsFailure('NotFound', `${what} does not exist`, 404);
}

/** The error for a missing required parameter. */
export function missing(name: string): AwsFailure {
  const member = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const problem = `Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  return new AwsFailure('ValidationError', `1 validation error detected: ${problem}`);
}

/** The value of `Enabled`, in lower case. @throws InvalidParameter */
export function flagIn(value: string): string {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase();
  throw invalid('Attributes', 'Invalid value for attribute: Enabled: must be true or false');
}

export const throttled = () => new AwsFailure('Throttled', 'Rate exceeded', 429);
export const internal = () => new AwsFailure('InternalError', 'Internal error', 500);
export const endpointDisabled = () => new AwsFailure('EndpointDisabled', 'Endpoint is disabled');
export const applicationDisabled = () =>
  new AwsFailure('PlatformApplicationDisabled', 'Platform application is disabled');
export const noEndpoint = () => invalid('TargetArn', 'No endpoint found for the target arn specified');
