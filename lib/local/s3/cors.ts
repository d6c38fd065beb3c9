import type { CorsRuleModel } from '../model.ts';
import { S3Failure } from './failures.ts';

/** The bucket's CORS rules: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */

type Headers = Readonly<Record<string, string>>;

/** The headers of an answer to a page of another origin; none if no rule applies. */
export function corsHeaders(
  rules: readonly CorsRuleModel[],
  method: string,
  { origin }: Headers,
): Record<string, string> {
  const rule = origin === undefined ? undefined : rules.find((each) => covers(each, origin, method));
  return rule && origin !== undefined ? headersOf(rule, origin) : {};
}

/** The answer to a preflight request. @throws S3Failure AccessForbidden */
export function preflight(rules: readonly CorsRuleModel[], headers: Headers): Record<string, string> {
  const { origin, 'access-control-request-method': method } = headers;
  if (origin === undefined || method === undefined) {
    const message = 'Insufficient information. Origin request header needed.';
    throw new S3Failure(400, 'BadRequest', message);
  }
  const wanted = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = rules.find(
    (each) =>
      covers(each, origin, method) &&
      wanted.every((name) => each.headers.some((pattern) => like(name, pattern.toLowerCase()))),
  );
  if (!rule) {
    const message =
      rules.length === 0
        ? 'CORSResponse: CORS is not enabled for this bucket.'
        : "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";
    throw new S3Failure(403, 'AccessForbidden', message);
  }
  return {
    ...headersOf(rule, origin),
    ...(wanted.length > 0 && { 'access-control-allow-headers': wanted.join(', ') }),
    ...(rule.maxAgeSeconds !== null && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
  };
}

function headersOf(rule: CorsRuleModel, origin: string): Record<string, string> {
  const isForAll = rule.origins.includes('*');
  return {
    'access-control-allow-origin': isForAll ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    ...(!isForAll && { 'access-control-allow-credentials': 'true' }),
    ...(rule.exposed.length > 0 && { 'access-control-expose-headers': rule.exposed.join(', ') }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

function covers({ origins, methods }: CorsRuleModel, origin: string, method: string): boolean {
  return methods.includes(method) && origins.some((pattern) => like(origin, pattern));
}

/** One `*` matches any text. */
function like(text: string, pattern: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return text === pattern;
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}
