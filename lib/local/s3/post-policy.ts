import { isJsonObject, parseJson } from '../json.ts';
import { accessDenied, S3Failure, tooLarge, tooSmall } from './failures.ts';

/** A form's policy, pure: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html */

export type Form = {
  /** Names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  /** The bucket that the form was sent to. */
  readonly bucket: string;
  readonly fileSize: number;
};

type Condition =
  | { readonly match: 'eq' | 'starts-with'; readonly field: string; readonly value: string }
  | { readonly match: 'content-length-range'; readonly least: number; readonly most: number };

/** The policy needs no condition for these fields, nor for fields that begin with `x-ignore-`. */
const free = ['x-amz-signature', 'policy', 'file'];

/** @param policy as it is in the form. @throws S3Failure if the policy does not allow the form */
export function assertPolicyAllows(policy: string, { fields, bucket, fileSize }: Form, now: number): void {
  const { expiration, conditions } = readPolicy(policy);
  if (expiration <= now) throw refused('Policy expired.');
  const values: Record<string, string | undefined> = { ...fields, bucket };
  const named = new Set<string>();
  for (const condition of conditions) {
    if (condition.match === 'content-length-range') continue;
    named.add(condition.field);
    const given = values[condition.field] ?? '';
    const isMet = condition.match === 'eq' ? given === condition.value : given.startsWith(condition.value);
    if (!isMet) {
      const written = JSON.stringify([condition.match, `$${condition.field}`, condition.value]);
      throw refused(`Policy Condition failed: ${written.replaceAll(',"', ', "')}`);
    }
  }
  const extra = Object.keys(fields).filter(
    (name) => !(named.has(name) || free.includes(name) || name.startsWith('x-ignore-')),
  );
  if (extra.length > 0) throw refused(`Extra input fields: ${extra.join(', ')}`);
  for (const condition of conditions) {
    if (condition.match !== 'content-length-range') continue;
    if (fileSize > condition.most) throw tooLarge(fileSize, condition.most);
    if (fileSize < condition.least) throw tooSmall(fileSize, condition.least);
  }
}

function readPolicy(policy: string): { expiration: number; conditions: Condition[] } {
  const document = parseJson(Buffer.from(policy, 'base64').toString('utf8'));
  if (!isJsonObject(document)) throw invalid('Invalid JSON.');
  const { expiration, conditions } = document;
  const instant = typeof expiration === 'string' && expiration.endsWith('Z') ? Date.parse(expiration) : Number.NaN;
  if (Number.isNaN(instant)) throw invalid(`Invalid 'expiration' value: '${String(expiration)}'`);
  if (!Array.isArray(conditions)) throw invalid("Policy missing 'conditions'.");
  return { expiration: instant, conditions: conditions.flatMap(readCondition) };
}

function readCondition(condition: unknown): Condition[] {
  if (Array.isArray(condition) && condition.length === 3) {
    const [name, first, second] = condition as unknown[];
    const match = String(name).toLowerCase();
    if (match === 'content-length-range') {
      const [least, most] = [Number(first), Number(second)];
      if (Number.isInteger(least) && Number.isInteger(most)) return [{ match, least, most }];
    }
    const isKnown = match === 'eq' || match === 'starts-with';
    if (isKnown && typeof first === 'string' && first.startsWith('$') && typeof second === 'string') {
      return [{ match, field: first.slice(1).toLowerCase(), value: second }];
    }
  } else if (isJsonObject(condition)) {
    return Object.entries(condition).map(([field, value]) => {
      if (typeof value !== 'string') throw invalid('Invalid Simple-Condition: value must be a string.');
      return { match: 'eq', field: field.toLowerCase(), value };
    });
  }
  throw invalid(`Invalid condition: ${JSON.stringify(condition)}`);
}

function refused(why: string): S3Failure {
  return accessDenied(`Invalid according to Policy: ${why}`);
}

function invalid(why: string): S3Failure {
  return new S3Failure(400, 'InvalidPolicyDocument', `Invalid Policy: ${why}`);
}
