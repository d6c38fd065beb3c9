import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MalformedJson, PayloadTooLarge, UnsupportedContentType, ValidationFailed } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';
import type { OtherBodies } from './runtime.ts';
import { header } from './validate.ts';

/** JSON bodies have a megabyte at most (docs/conventions.md); API Gateway itself accepts ten. */
const maxBodyBytes = 1_048_576;

const json = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?[ \t]*$/i;

/**
 * middy's JSON body parser with our error codes for its 415 and 422; it puts the body in place of its text. It does not see an empty body (absent, empty, blank or
 * `null`, whatever its type).
 */
export function jsonBody(otherBodies: OtherBodies): (event: APIGatewayProxyEvent) => void {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return (event) => {
    if (event.body && Buffer.byteLength(event.body) > maxBodyBytes) throw new Failure(PayloadTooLarge);
    if (isNoBody(event)) {
      event.body = null;
      return;
    }
    const contentType = header(event, 'content-type') ?? '';
    const other = json.test(contentType) ? undefined : own(otherBodies, bareType(contentType));
    if (!other && !json.test(contentType)) throw new Failure(UnsupportedContentType);
    try {
      parser.before?.({ event } as never);
    } catch {
      throw new Failure(MalformedJson);
    }
    if (!other) return;
    const read = other(event.body);
    if ('issues' in read) throw new Failure(ValidationFailed, { issues: read.issues });
    event.body = read.body as string;
  };
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Removes the parameter that does not change the JSON: UTF-8, which all JSON uses. */
function bareType(contentType: string): string {
  const parts = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim().replaceAll('"', ''));
  return parts.filter((part) => !['', 'charset=utf-8'].includes(part)).join(';');
}

function isNoBody(event: APIGatewayProxyEvent): boolean {
  if (event.body === null || event.body === undefined) return true;
  const text = event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString() : event.body;
  const trimmed = text.trim();
  return trimmed === '' || trimmed === 'null';
}
