import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayResponseType } from './gateway-responses.ts';
import { newExtendedRequestId, requestIdFrom } from './identifiers.ts';
import type { RouteMatch } from './routes.ts';
import type { CompiledApi, CompiledStage } from './stage.ts';
import { sourceAddress, splitStage, type Target } from './target.ts';

/** One request on its way through the gateway. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The path within the stage, still percent-encoded; the whole path if no stage was found. */
  path: string;
  readonly query: string;
  api: CompiledApi | null;
  readonly sourceIp: string;
  /** Callers can set this id. */
  readonly requestId: string;
  /** Unique; callers cannot set this id. */
  readonly extendedRequestId: string;
  /** The Lambda request id of the integration. */
  readonly invocationId: string;
  /** Milliseconds of the gateway's clock, for durations and windows. */
  readonly started: number;
  readonly epoch: number;
  match: RouteMatch | null;
  authorizer: Readonly<Record<string, unknown>> | null;
  apiKey: string | null;
  /** Details for the developer, filled in while the request is handled. */
  functionArn: string | null;
  gatewayResponse: GatewayResponseType | null;
  error: string | null;
};

/** For the local stage's log. Never has a header, a query or a body: they hold tokens and people's data. */
export type RequestEntry = {
  readonly method: string;
  /** With the stage, without the query. */
  readonly path: string;
  readonly apiId: string | null;
  /** The matched resource, `/v1/users/{id}`. */
  readonly resource: string | null;
  readonly functionArn: string | null;
  /** 0 if the client left before the answer. */
  readonly status: number;
  /** The type of the gateway's own answer; null for a function's, a mock's or the firewall's. */
  readonly gatewayResponse: GatewayResponseType | null;
  /** The reason, only for the developer: no part of it is in the answer. */
  readonly error: string | null;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly invocationId: string;
  readonly sourceIp: string;
  readonly durationMs: number;
};

export function newExchange(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target | null,
  started: number,
  epoch: number,
): Exchange {
  const invocationId = randomUUID();
  return {
    request,
    response,
    method: request.method ?? 'GET',
    path: target?.path ?? '*',
    query: target?.query ?? '',
    api: null,
    sourceIp: sourceAddress(request.socket),
    requestId: requestIdFrom(request.headers['x-amzn-requestid']) ?? invocationId,
    extendedRequestId: newExtendedRequestId(),
    invocationId,
    started,
    epoch,
    match: null,
    authorizer: null,
    apiKey: null,
    functionArn: null,
    gatewayResponse: null,
    error: null,
  };
}

/** Finds the API whose stage the first segment names. */
export function enterStage(exchange: Exchange, { apis }: CompiledStage): void {
  const { stage, rest } = splitStage(exchange.path);
  const api = apis.get(stage);
  if (!api) return;
  exchange.api = api;
  exchange.path = rest;
}

export function entryOf(exchange: Exchange, now: number): RequestEntry {
  const { api, response } = exchange;
  return {
    method: exchange.method,
    path: api ? `/${api.model.stageName}${exchange.path}` : exchange.path,
    apiId: api?.model.id ?? null,
    resource: exchange.match?.resource.path ?? null,
    functionArn: exchange.functionArn,
    status: response.headersSent ? response.statusCode : 0,
    gatewayResponse: exchange.gatewayResponse,
    error: exchange.error,
    requestId: exchange.requestId,
    extendedRequestId: exchange.extendedRequestId,
    invocationId: exchange.invocationId,
    sourceIp: exchange.sourceIp,
    durationMs: now - exchange.started,
  };
}
