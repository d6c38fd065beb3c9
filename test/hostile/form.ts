import { expect } from 'vitest';
import { errors } from '../../functions/domains.ts';
import type { RawAnswer } from './raw-socket.ts';

/** What holds for every answer, whatever was asked (docs/conventions.md). */

/** Of what is no secret, and no error's insides. */
const insides = /arn:aws|dynamodb|amazonaws\.com|Exception\b|\bat .*\.(ts|mjs|js):\d|node:internal/i;

/** @param isFront the answer was made before any API was found: it has none of the API's headers */
export function expectForm(answer: RawAnswer, isFront = false): void {
  const { status, headers, body } = answer;
  if (status !== 304) {
    expect(headers['content-type']).toMatch(isFront ? /^application\/json/ : /^application\/json; charset=utf-8$/);
  }
  expect(headers['x-amzn-requestid']).toMatch(/^[\w.:=-]+$/);
  expect(headers).not.toHaveProperty('set-cookie');
  if (!isFront) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'strict-transport-security': expect.stringMatching(/^max-age=31536000;/),
      'content-security-policy': expect.stringMatching(
        /^default-src( 'none')?; object-src( 'none')?; base-uri( 'none')?; form-action( 'none')?; frame-ancestors( 'none')?/,
      ),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['cache-control']).toMatch(status < 400 ? /./ : /^no-store$/);
    // A function names the request itself; of the gateway's own answer AWS's header does.
    if ('x-request-id' in headers) expect(headers['x-request-id']).toBe(headers['x-amz-apigw-id']);
    else expect(headers).toHaveProperty('x-amzn-errortype');
  }
  if (status < 400) return;
  const error = JSON.parse(body);
  expect(Object.keys(error)).toEqual(['code', 'message', 'detail']);
  expect(errors.map(({ error }) => error.code)).toContain(error.code);
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  expect(error.detail === null || typeof error.detail === 'object').toBe(true);
  expect(body).not.toMatch(insides);
}
