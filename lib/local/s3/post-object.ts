import { accessDenied, invalidArgument } from './failures.ts';
import { readFormData } from './form-data.ts';
import { answerOf, put } from './objects.ts';
import type { Operation, S3Call } from './operation.ts';
import { assertPolicyAllows } from './post-policy.ts';
import { verifyPolicySignature } from './signatures.ts';

/** A form that a browser or an app sends: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html */

/**
 * Turns a form into a put; the form's fields become the put's headers.
 *
 * @throws S3Failure if the form's policy does not allow it
 */
export function readForm(
  { bucket, contentType, body }: { bucket: string; contentType: string; body: Buffer },
  region: string,
  now: number,
): S3Call {
  const { fields, file, fileName } = readFormData(contentType, body);
  // A form has no conditional writes.
  const { 'if-match': _match, 'if-none-match': _noneMatch, ...headers } = fields;
  // No bucket here is public.
  if (fields.policy === undefined) throw accessDenied();
  const accessKeyId = verifyPolicySignature(fields, region);
  assertPolicyAllows(fields.policy, { fields, bucket, fileSize: file.length }, now);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is S3's placeholder
  const key = fields.key?.replaceAll('${filename}', fileName);
  if (!key) throw invalidArgument("Bucket POST must contain a field named 'key'.", 'key');
  const call = { action: 'PostObject', bucket, key, versionId: undefined, query: {}, accessKeyId };
  return { ...call, headers, authType: 'POST', body: file };
}

export const postObject: Operation = async (context, call) => {
  const version = await put(context, call);
  const { success_action_redirect: redirect, success_action_status: status } = call.headers;
  const { bucket, key } = call;
  const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const headers = { ...answerOf(version), location: path };
  if (redirect && URL.canParse(redirect)) {
    const location = new URL(redirect);
    for (const [name, value] of Object.entries({ bucket, key, etag: version.etag })) {
      location.searchParams.set(name, value);
    }
    return { status: 303, headers: { ...headers, location: location.href } };
  }
  if (status === '200') return { status: 200, headers };
  // Any other value counts as none.
  if (status !== '201') return { status: 204, headers };
  const body = { PostResponse: { Location: path, Bucket: bucket, Key: key, ETag: version.etag } };
  return { status: 201, headers, body };
};
