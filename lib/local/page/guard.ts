import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from './answers.ts';
import { isOwnHost } from './hosts.ts';

/**
 * Runs before every answer of `/_local`, because its pages show hostile input and its tokens open every account of the
 * stage.
 * No answer has a CORS header, so no page of another origin can read one.
 * @returns false if the request was refused and answered
 */
export function guard(request: IncomingMessage, response: ServerResponse, bound: string): boolean {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (isOwnHost(request.headers.host, bound)) return true;
  sendText(response, 421, 'The Host header names none of this machine’s own names: open http://localhost.');
  return false;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI's style sheet contains its icons.
  "img-src 'self' data:",
  "connect-src 'self'",
  // A mail's HTML has a policy of its own.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const headers = {
  'Content-Security-Policy': policy.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
