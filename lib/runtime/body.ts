import type { Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MalformedJson, PayloadTooLarge, UnsupportedContentType } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';
import { header } from './validate.ts';

/** JSON bodies are a megabyte at most (contract section 8); API Gateway itself would let ten through. */
export const maxBodyBytes = 1_048_576;

const json = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?[ \t]*$/i;

/**
 * middy's JSON body parser, in the contract's words: its 415 and 422 become our codes, and what is no body (absent,
 * empty, blank or `null`, whatever its type) is left out of its sight.
 */
export function jsonBody() {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: (request: Request<APIGatewayProxyEvent>): void => {
      const { event } = request;
      if (event.body && Buffer.byteLength(event.body) > maxBodyBytes) throw new Failure(PayloadTooLarge);
      if (isNoBody(event)) {
        event.body = null;
        return;
      }
      if (!json.test(header(event, 'content-type') ?? '')) throw new Failure(UnsupportedContentType);
      try {
        parser.before?.(request as never);
      } catch {
        throw new Failure(MalformedJson);
      }
    },
  };
}

function isNoBody(event: APIGatewayProxyEvent): boolean {
  if (event.body === null || event.body === undefined) return true;
  const text = event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString() : event.body;
  const trimmed = text.trim();
  return trimmed === '' || trimmed === 'null';
}
