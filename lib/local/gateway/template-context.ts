import type { Exchange } from './exchange.ts';

/** The `$context` variables that a gateway response can use. */
export function contextOf(exchange: Exchange, name: string): string | undefined {
  if (name.startsWith('authorizer.')) {
    const value = exchange.authorizer?.[name.slice('authorizer.'.length)];
    return value === undefined ? undefined : String(value);
  }
  const values: Record<string, string | undefined> = {
    requestId: exchange.requestId,
    extendedRequestId: exchange.extendedRequestId,
    httpMethod: exchange.method,
    path: `/${exchange.api?.model.stageName}${exchange.path}`,
    resourcePath: exchange.match?.resource.path,
    stage: exchange.api?.model.stageName,
    apiId: exchange.api?.model.id,
    accountId: exchange.api?.accountId,
    'identity.sourceIp': exchange.sourceIp,
    'identity.userAgent': exchange.request.headers['user-agent'],
  };
  return values[name];
}
