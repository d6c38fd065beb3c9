import { badRequestAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Answer } from './gateway-responses.ts';

// "Total combined size of all header values: 10,240 bytes", "Length, in characters, of the URL for a regional API: 10,240" (API Gateway quotas).
const maximumHeaderBytes = 10_240;
const maximumUrlLength = 10_240;

/** Finds requests that API Gateway refuses for every API. */
export function malformedBecause({ request, query }: Exchange): Answer | null {
  // A request line without a version is HTTP/0.9, which Node's parser accepts.
  if (request.httpVersionMajor < 1) return badRequestAnswer('header', 'The request is not valid HTTP/1.1.');
  // RFC 9112, 3.2: "a server MUST respond with a 400 status code to any HTTP/1.1 request message that lacks a Host".
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return badRequestAnswer('header', 'There is no Host.');
  // "The plain text pipe character (|) and the curly brace character ({ or }) are not supported for any request URL query string
  // and must be URL-encoded" (important notes for REST APIs).
  if (query !== '' && /[{|}]/.test(query))
    return badRequestAnswer('query', '{, | and } must be percent-encoded in a query.');
  return null;
}

/** REQUEST_TOO_LARGE, apart from the body. */
export function tooLong({ request }: Exchange): boolean {
  if ((request.url ?? '').length > maximumUrlLength) return true;
  const { rawHeaders } = request;
  let bytes = 0;
  for (let index = 1; index < rawHeaders.length; index += 2) bytes += rawHeaders[index]?.length ?? 0;
  return bytes > maximumHeaderBytes;
}
