/** An error as SNS answers it: the code without the suffix "Exception", and the HTTP status. */
export class SnsFailure extends Error {
  override readonly name = 'SnsFailure';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The most common error: `Invalid parameter: <name> Reason: <reason>`, and some sentences without a reason. */
export function invalid(name: string, reason?: string): SnsFailure {
  return new SnsFailure('InvalidParameter', `Invalid parameter: ${name}${reason ? ` Reason: ${reason}` : ''}`);
}

export function notFound(what: string): SnsFailure {
  return new SnsFailure('NotFound', `${what} does not exist`, 404);
}

/** The error for a missing required parameter. */
export function missing(name: string): SnsFailure {
  const member = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const problem = `Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  return new SnsFailure('ValidationError', `1 validation error detected: ${problem}`);
}

export const throttled = () => new SnsFailure('Throttled', 'Rate exceeded', 429);
export const internal = () => new SnsFailure('InternalError', 'Internal error', 500);
export const endpointDisabled = () => new SnsFailure('EndpointDisabled', 'Endpoint is disabled');
export const applicationDisabled = () =>
  new SnsFailure('PlatformApplicationDisabled', 'Platform application is disabled');
export const noEndpoint = () => invalid('TargetArn', 'No endpoint found for the target arn specified');
