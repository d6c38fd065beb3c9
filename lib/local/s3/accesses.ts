import type { ServiceCall } from '../credentials.ts';
import { statesLock } from './locks.ts';
import type { S3Call } from './operation.ts';

/**
 * What IAM checks for a call of S3: actions, resources and condition keys by
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
export function s3Accesses(call: S3Call, bucketArn: string): ServiceCall[] {
  const context = contextOf(call);
  const resource = call.key === '' ? bucketArn : `${bucketArn}/${call.key}`;
  return actionsOf(call).map((action) => ({ action, accessKeyId: call.accessKeyId, resource, context }));
}

/** The access check for an action that a call does only if it is allowed. */
export function furtherAccess(call: S3Call, bucketArn: string, action: string): ServiceCall {
  const isOfBucket = action.startsWith('ListBucket');
  const resource = isOfBucket || call.key === '' ? bucketArn : `${bucketArn}/${call.key}`;
  return { action, accessKeyId: call.accessKeyId, resource, context: contextOf(call) };
}

function actionsOf({ action, headers, versionId }: S3Call): string[] {
  const bypass = headers['x-amz-bypass-governance-retention'] === 'true' ? ['BypassGovernanceRetention'] : [];
  switch (action) {
    case 'PutObject':
    case 'PostObject': {
      const retains = 'x-amz-object-lock-mode' in headers;
      const holds = statesLock(headers) && 'x-amz-object-lock-legal-hold' in headers;
      return [
        'PutObject',
        ...(retains ? ['PutObjectRetention'] : []),
        ...(holds ? ['PutObjectLegalHold'] : []),
        // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html#conditional-write-permissions
        ...('if-match' in headers ? ['GetObject'] : []),
      ];
    }
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html#mpuAndPermissions
    case 'CreateMultipartUpload':
    case 'UploadPart':
    case 'CompleteMultipartUpload':
      return ['PutObject'];
    case 'GetObject':
    case 'HeadObject':
      return [versionId === undefined ? 'GetObject' : 'GetObjectVersion'];
    case 'DeleteObject':
      return [versionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion', ...bypass];
    case 'PutObjectRetention':
      return [action, ...bypass];
    case 'HeadBucket':
    case 'ListObjectsV2':
      return ['ListBucket'];
    case 'ListObjectVersions':
      return ['ListBucketVersions'];
    default:
      return [action];
  }
}

/** Whether a call of `s3:PutObject` makes an object. */
const creates: Readonly<Record<string, boolean>> = {
  PutObject: true,
  PostObject: true,
  CompleteMultipartUpload: true,
  CreateMultipartUpload: false,
  UploadPart: false,
};

function contextOf({ action, authType, headers, query, versionId, body }: S3Call): Record<string, string[]> {
  const context: Record<string, string[]> = {
    's3:authtype': [authType],
    's3:signatureversion': ['AWS4-HMAC-SHA256'],
    // The SDK's connections to AWS use this version.
    's3:tlsversion': ['1.3'],
  };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('x-amz-object-lock-')) context[`s3:${name.slice('x-amz-'.length)}`] = [value];
    else if (name.startsWith('x-amz-')) context[`s3:${name}`] = [value];
    else if (name === 'if-match' || name === 'if-none-match') context[`s3:${name}`] = [value];
  }
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
  if (creates[action] !== undefined) context['s3:objectcreationoperation'] = [String(creates[action])];
  for (const name of ['prefix', 'delimiter', 'max-keys']) {
    if (query[name] !== undefined) context[`s3:${name}`] = [query[name]];
  }
  // Only this call has the legal hold in the body.
  const [, held] = action === 'PutObjectLegalHold' ? (/<Status>(\w+)<\/Status>/.exec(body.toString('utf8')) ?? []) : [];
  if (held !== undefined) context['s3:object-lock-legal-hold'] = [held];
  if (versionId !== undefined) context['s3:versionid'] = [versionId];
  return context;
}
