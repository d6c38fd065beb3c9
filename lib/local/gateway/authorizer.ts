import { randomUUID } from 'node:crypto';
import type { InvokeResult } from '../functions/result.ts';
import { parseQuery, proxyEvent } from './event.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import { type AuthorizerVerdict, evaluate, parseVerdict } from './policy.ts';
import type { CompiledAuthorizer, IdentitySource } from './stage.ts';

export type Decision =
  | { readonly allowed: true; readonly context: Readonly<Record<string, unknown>>; readonly apiKey: string | null }
  | { readonly allowed: false; readonly type: GatewayResponseType; readonly error: string };

export type InvokeAuthorizer = (
  functionArn: string,
  event: unknown,
  requestId: string,
  timeoutMs: number,
) => Promise<InvokeResult | null>;

type Outcome = AuthorizerVerdict | { readonly type: GatewayResponseType; readonly error: string };
type Cached = { readonly verdict: AuthorizerVerdict; readonly expires: number };

// Tokens live for minutes. This limits the memory for a client that always sends new tokens.
const maximumCached = 1000;

export type Authorizers = {
  /** Answers synchronously if the result is cached. */
  authorize(exchange: Exchange, authorizer: CompiledAuthorizer, methodArn: string): Decision | Promise<Decision>;
  clearCache(): void;
};

export function createAuthorizers(invoke: InvokeAuthorizer, now: () => number): Authorizers {
  let cache = new Map<string, Cached>();
  let calls = new Map<string, Promise<Outcome>>();

  async function call(
    exchange: Exchange,
    { model }: CompiledAuthorizer,
    methodArn: string,
    token: string,
  ): Promise<Outcome> {
    const event =
      model.type === 'TOKEN'
        ? { type: 'TOKEN', methodArn, authorizationToken: token }
        : requestEvent(exchange, methodArn);
    const result = await invoke(model.functionArn, event, randomUUID(), model.timeoutMs);
    if (result === null) return { type: 'AUTHORIZER_FAILURE', error: 'the authorizer did not answer in time' };
    if (!result.ok) {
      // The only message that means 401: "throw 'Unauthorized'" (Lambda authorizer examples). Every other error is a
      // failure.
      const type =
        result.kind === 'error' && result.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE';
      return { type, error: `${result.errorType}: ${result.errorMessage}` };
    }
    const verdict = parseVerdict(result.payload);
    return typeof verdict === 'string' ? { type: 'AUTHORIZER_CONFIGURATION_ERROR', error: verdict } : verdict;
  }

  async function remember(key: string, seconds: number, outcome: Promise<Outcome>): Promise<Outcome> {
    // Entries that are cleared during a call must not come back: a call keeps using the maps that it began with.
    const [results, open] = [cache, calls];
    open.set(key, outcome);
    const settled = await outcome.finally(() => open.delete(key));
    if ('type' in settled) return settled; // Errors are not cached.
    for (const oldest of results.keys()) {
      if (results.size < maximumCached) break;
      results.delete(oldest);
    }
    results.set(key, { verdict: settled, expires: now() + seconds * 1000 });
    return settled;
  }

  return {
    authorize(exchange, authorizer, methodArn) {
      const { model, sources } = authorizer;
      const values = sources.map((source) => identityOf(exchange, source));
      // "If the token is missing or empty, API Gateway returns 401 Unauthorized without calling the function."
      const required = model.type === 'TOKEN' || model.cacheSeconds > 0;
      if (required && values.some((value) => value.trim() === '')) {
        return { allowed: false, type: 'UNAUTHORIZED', error: 'the identity source is missing' };
      }
      const token = values[0] ?? '';
      if (model.cacheSeconds === 0 || sources.length === 0) {
        return call(exchange, authorizer, methodArn, token).then((outcome) => decide(outcome, methodArn));
      }
      const key = JSON.stringify([exchange.api?.model.id, model.id, ...values]);
      const known = cache.get(key);
      if (known && known.expires > now()) return decide(known.verdict, methodArn);
      cache.delete(key);
      // Simultaneous requests share one call: in sequence the later ones would have found its result in the cache.
      const outcome = calls.get(key) ?? remember(key, model.cacheSeconds, call(exchange, authorizer, methodArn, token));
      return outcome.then((settled) => decide(settled, methodArn));
    },
    clearCache() {
      cache = new Map();
      calls = new Map();
    },
  };
}

/** A cached policy also answers for other routes, so it is evaluated again for each method. */
function decide(outcome: Outcome, methodArn: string): Decision {
  if ('type' in outcome) return { allowed: false, ...outcome };
  const effect = evaluate(outcome, methodArn);
  if (effect !== 'allow') return { allowed: false, type: 'ACCESS_DENIED', error: `the authorizer's policy: ${effect}` };
  const context = { ...outcome.context, principalId: outcome.principalId, integrationLatency: 0 };
  return { allowed: true, context, apiKey: outcome.usageIdentifierKey };
}

function identityOf({ request, query }: Exchange, source: IdentitySource): string {
  if (source.in === 'querystring') return parseQuery(query)?.values[source.name] ?? '';
  const value = request.headers[source.name.toLowerCase()];
  return (Array.isArray(value) ? value.at(-1) : value) ?? '';
}

function requestEvent(exchange: Exchange, methodArn: string): unknown {
  const { body: _body, isBase64Encoded: _encoded, ...event } = proxyEvent(exchange, null);
  return { type: 'REQUEST', methodArn, ...event };
}
