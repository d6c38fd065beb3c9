import { AwsFailure } from '../service/failure.ts';

/** S3's errors: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Failure extends AwsFailure {
  /** Further elements of the error's document. */
  readonly details: Readonly<Record<string, string>>;
  /** The answer's headers. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: S3Failure['details'] = {},
    headers: S3Failure['headers'] = {},
  ) {
    super(code, message, status);
    this.details = details;
    this.headers = headers;
  }
}

export const internal = () =>
  new S3Failure(500, 'InternalError', 'We encountered an internal error. Please try again.');
export const slowDown = () => new S3Failure(503, 'SlowDown', 'Please reduce your request rate.');
export const accessDenied = (message = 'Access Denied') => new S3Failure(403, 'AccessDenied', message);
export const invalidRequest = (message: string) => new S3Failure(400, 'InvalidRequest', message);
export const malformedXml = () =>
  new S3Failure(
    400,
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
  );
export const noSuchKey = (Key: string, headers = {}) =>
  new S3Failure(404, 'NoSuchKey', 'The specified key does not exist.', { Key }, headers);
export const noSuchBucket = (BucketName: string) =>
  new S3Failure(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName });
export const noSuchVersion = (Key: string, VersionId: string) =>
  new S3Failure(404, 'NoSuchVersion', 'The specified version does not exist.', { Key, VersionId });
export const methodNotAllowed = (headers = {}) =>
  new S3Failure(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', {}, headers);
export const preconditionFailed = (Condition: string) =>
  new S3Failure(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition,
  });
export const signatureDoesNotMatch = () =>
  new S3Failure(
    403,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );

export function invalidArgument(message: string, ArgumentName: string, ArgumentValue = ''): S3Failure {
  return new S3Failure(400, 'InvalidArgument', message, { ArgumentName, ArgumentValue });
}

export function tooLarge(proposed: number, allowed: number): S3Failure {
  return new S3Failure(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
    ProposedSize: String(proposed),
    MaxSizeAllowed: String(allowed),
  });
}

export function tooSmall(proposed: number, needed: number): S3Failure {
  return new S3Failure(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
    ProposedSize: String(proposed),
    MinSizeAllowed: String(needed),
  });
}

export function notHere(what: string): S3Failure {
  return new S3Failure(501, 'NotImplemented', `${what} is not here: the local S3 has what this stage needs`);
}
