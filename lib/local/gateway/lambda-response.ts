import { isJsonObject } from '../json.ts';
import type { Answer } from './gateway-responses.ts';

const known = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

// "The header name is changed from <string> to X-Amzn-Remapped-<string>" (important notes for REST APIs).
const remapped = new Set([
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * "Output format of a Lambda function for proxy integration": anything else is a malformed proxy response, a 502.
 * `isBase64Encoded` decodes only for an API's binary media types, and these APIs have none.
 * @returns the answer, or what is wrong with it, for the developer.
 */
export function parseLambdaResponse(payload: unknown): Answer | string {
  if (!isJsonObject(payload)) return 'the function returned no object';
  const { statusCode, headers, multiValueHeaders, body } = payload;
  const unknown = Object.keys(payload).find((name) => !known.has(name));
  if (unknown !== undefined) return `${unknown} is no field of a proxy response`;
  const status = typeof statusCode === 'string' && /^\d{3}$/.test(statusCode) ? Number(statusCode) : statusCode;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    return 'statusCode is no HTTP status';
  }
  if (body !== undefined && body !== null && typeof body !== 'string') return 'body is not a string';
  const list = headerList(headers, multiValueHeaders);
  return typeof list === 'string' ? list : { status, headers: list, body: body ?? '' };
}

function headerList(single: unknown, multiple: unknown): string[] | string {
  const list: string[] = [];
  const listed = new Set<string>();
  const push = (name: string, value: string | number | boolean) => {
    const lower = name.toLowerCase();
    listed.add(lower);
    list.push(remapped.has(lower) ? `x-amzn-Remapped-${name}` : name, String(value));
  };
  if (multiple !== undefined && multiple !== null) {
    if (!isJsonObject(multiple)) return 'multiValueHeaders is not an object';
    for (const [name, values] of Object.entries(multiple)) {
      if (!Array.isArray(values) || !values.every(isScalar))
        return `multiValueHeaders.${name} is not a list of strings`;
      for (const value of values) push(name, value);
    }
  }
  if (single !== undefined && single !== null) {
    if (!isJsonObject(single)) return 'headers is not an object';
    for (const [name, value] of Object.entries(single)) {
      if (!isScalar(value)) return `headers.${name} is not a string`;
      // "If you specify values for both, API Gateway merges them", and a name in both is the list's.
      if (!listed.has(name.toLowerCase())) push(name, value);
    }
  }
  if (listed.has('transfer-encoding')) return 'a function cannot set Transfer-Encoding';
  // "API Gateway includes a Content-Type header for all integration responses. By default, the content type is application/json."
  if (!listed.has('content-type')) list.push('Content-Type', 'application/json');
  return list;
}
