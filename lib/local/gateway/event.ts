import { unescape as decode } from 'node:querystring';
import type { Exchange } from './exchange.ts';
import { logTime } from './identifiers.ts';

/** Without a prototype, so a header or parameter named `__proto__` is treated like any other. */
const Values = function Values() {} as unknown as new () => Record<string, string>;
const Lists = function Lists() {} as unknown as new () => Record<string, string[]>;
Values.prototype = Object.create(null);
Lists.prototype = Object.create(null);

/** The Lambda proxy event of a REST API (payload format 1.0). */
export type ProxyEvent = {
  resource: string;
  path: string;
  httpMethod: string;
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
  queryStringParameters: Record<string, string> | null;
  multiValueQueryStringParameters: Record<string, string[]> | null;
  pathParameters: Record<string, string> | null;
  stageVariables: null;
  requestContext: Record<string, unknown>;
  body: string | null;
  isBase64Encoded: boolean;
};

// Headers that concern only this connection. An integration does not get them ("Important notes for REST APIs").
const dropped = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

export function proxyEvent(exchange: Exchange, body: string | null): ProxyEvent {
  const { request, match, path, method } = exchange;
  const headers = new Values();
  const multiValueHeaders = new Lists();
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!dropped.has(name.toLowerCase())) add(headers, multiValueHeaders, name, rawHeaders[index + 1] ?? '');
  }
  const forwarded = request.headers['x-forwarded-for'];
  const chain = forwarded ? `${forwarded}, ${exchange.sourceIp}` : exchange.sourceIp;
  add(headers, multiValueHeaders, 'X-Forwarded-For', chain);
  add(headers, multiValueHeaders, 'X-Forwarded-Port', String(request.socket.localPort ?? ''));
  add(headers, multiValueHeaders, 'X-Forwarded-Proto', 'http');
  if (request.headers['x-amzn-trace-id'] === undefined) {
    const id = exchange.invocationId;
    const root = `${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(14, 18)}${id.slice(19, 23)}${id.slice(24, 28)}`;
    const time = Math.floor(exchange.epoch / 1000).toString(16);
    add(headers, multiValueHeaders, 'X-Amzn-Trace-Id', `Root=1-${time}-${root}`);
  }
  const query = parseQuery(exchange.query);
  return {
    resource: match?.resource.path ?? path,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders,
    queryStringParameters: query?.values ?? null,
    multiValueQueryStringParameters: query?.lists ?? null,
    pathParameters: match?.params ?? null,
    stageVariables: null,
    requestContext: requestContext(exchange),
    body,
    isBase64Encoded: false,
  };
}

function add(values: Record<string, string>, lists: Record<string, string[]>, name: string, value: string): void {
  values[name] = value;
  const list = lists[name];
  if (list) list.push(value);
  else lists[name] = [value];
}

function requestContext(exchange: Exchange): Record<string, unknown> {
  const { request, match, api } = exchange;
  const host = request.headers.host ?? '';
  const port = host.lastIndexOf(':');
  const domainName = port > 0 && !host.endsWith(']') ? host.slice(0, port) : host;
  const dot = domainName.indexOf('.');
  const stage = api?.model.stageName ?? '';
  const context: Record<string, unknown> = {
    resourceId: match?.resource.id ?? '',
    resourcePath: match?.resource.path ?? '',
    httpMethod: exchange.method,
    extendedRequestId: exchange.extendedRequestId,
    requestTime: logTime(exchange.epoch),
    path: `/${stage}${exchange.path}`,
    accountId: api?.accountId ?? '',
    protocol: `HTTP/${request.httpVersion}`,
    stage,
    domainPrefix: dot > 0 ? domainName.slice(0, dot) : domainName,
    requestTimeEpoch: exchange.epoch,
    requestId: exchange.requestId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: null,
      cognitoIdentityId: null,
      caller: null,
      sourceIp: exchange.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: request.headers['user-agent'] ?? null,
      user: null,
      ...(exchange.apiKey === null ? null : { apiKey: exchange.apiKey, apiKeyId: exchange.apiKey }),
    },
    domainName,
    apiId: api?.model.id ?? '',
  };
  if (exchange.authorizer) context.authorizer = exchange.authorizer;
  return context;
}

/**
 * Decoded, as REST APIs do before they call an integration. `;` separates too: it "results in the data being split". An
 * invalid escape stays unchanged; whether AWS answers 400 to it is not documented.
 */
export function parseQuery(query: string): { values: Record<string, string>; lists: Record<string, string[]> } | null {
  if (query === '') return null;
  const values = new Values();
  const lists = new Lists();
  let any = false;
  for (const pair of query.split(/[&;]/)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    add(values, lists, decodeParameter(name), equals < 0 ? '' : decodeParameter(pair.slice(equals + 1)));
    any = true;
  }
  return any ? { values, lists } : null;
}

const decodeParameter = (text: string) => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decode(spaced) : spaced;
};
