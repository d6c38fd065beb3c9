import { randomUUID } from 'node:crypto';
import { consentingUser } from './canned.ts';

/** The requests that are compared, as API Gateway hands them over. */

export const compared = ['list-agreements', 'agree', 'revoke-consent', 'check-app-version'] as const;
export type Compared = (typeof compared)[number];

type BenchRequest = { method: string; path: string; params?: Record<string, string>; query?: Record<string, string> };

const asked: Readonly<Record<Compared, BenchRequest>> = {
  'list-agreements': { method: 'GET', path: '/users/agreements' },
  agree: {
    method: 'POST',
    path: '/agreements/versions/marketing-1.0/agree',
    params: { versionId: 'marketing-1.0' },
  },
  'revoke-consent': {
    method: 'DELETE',
    path: '/users/agreements/marketing/consent',
    params: { agreementId: 'marketing' },
  },
  'check-app-version': {
    method: 'GET',
    path: '/mobile/app-version/check',
    query: { platform: 'ios', appVersion: '1.0.0', locale: 'de' },
  },
};

/** Whoever agrees has not yet, whoever revokes has: each writes. */
export function eventOf(name: Compared): object {
  const { method, path, params = null, query = null } = asked[name];
  const userId = name === 'agree' ? randomUUID() : consentingUser;
  const headers = { 'Accept-Language': 'de', Host: 'api.example.com', 'X-Forwarded-For': '192.0.2.1' };
  return {
    resource: path,
    path: `/v1${path}`,
    httpMethod: method,
    headers,
    multiValueHeaders: many(headers),
    queryStringParameters: query,
    multiValueQueryStringParameters: query && many(query),
    pathParameters: params,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'request',
      extendedRequestId: 'extended',
      identity: { sourceIp: '192.0.2.1' },
      httpMethod: method,
      path: `/de/v1${path}`,
      stage: 'de',
      authorizer: { userId, roles: 'patient', exp: '4102444800' },
    },
  };
}

function many(values: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}
