import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RouteNotFound } from '../contract/common-errors.ts';
import { errorBody } from '../contract/errors.ts';
import { responseHeaders } from './response.ts';

/** Answers every path and method that no route declares; the gateway itself would answer some of them with a 403. */
export async function routeNotFound(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  return {
    statusCode: RouteNotFound.status,
    headers: responseHeaders(event.requestContext.extendedRequestId ?? event.requestContext.requestId),
    body: JSON.stringify(errorBody(RouteNotFound)),
  };
}
