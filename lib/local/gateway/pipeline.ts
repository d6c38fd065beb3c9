import { type InvokeResult, requestTooLarge } from '../functions/result.ts';
import type { IntegrationModel, MethodModel } from '../model.ts';
import { errorAnswer, write, writeAndClose } from './answer.ts';
import type { Authorizers, Decision } from './authorizer.ts';
import { type Body, hasBody, readBody } from './body.ts';
import { proxyEvent } from './event.ts';
import type { Exchange } from './exchange.ts';
import type { Answer, GatewayResponseType } from './gateway-responses.ts';
import { parseLambdaResponse } from './lambda-response.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { malformedBecause, tooLong } from './request-limits.ts';
import type { CompiledApi, CompiledStage } from './stage.ts';
import { contextOf } from './template-context.ts';
import { createTokenBuckets } from './token-bucket.ts';

export type PipelineOptions = {
  readonly authorizers: Authorizers;
  /** Null if the invocation took longer than the time-out. */
  readonly invoke: (arn: string, event: unknown, requestId: string, timeoutMs: number) => Promise<InvokeResult | null>;
  readonly now: () => number;
  readonly rateLimit: boolean;
};

// "ARN length of a method with authorization: 1600 bytes" (API Gateway quotas); AWS answers 414 to more.
const maximumArnLength = 1600;

/** Answers an exchange. Returns a promise if this takes longer than the current turn of the event loop. */
export type Pipeline = (exchange: Exchange, stage: CompiledStage) => Promise<void> | null;

/** The order is AWS's: firewall, limits of the request, throttle, route, authorizer, API key, integration. */
export function createPipeline({ authorizers, invoke, now, rateLimit }: PipelineOptions): Pipeline {
  const limits = new Map<string, RateLimit>();
  const buckets = createTokenBuckets();

  return (exchange, { rules }) => {
    const { api, method } = exchange;
    if (rateLimit) {
      for (const rule of rules) {
        // Requests to no API count as well: "100 requests a minute for each IP address, over all requests".
        if (api && !rule.model.apiIds.includes(api.model.id)) continue;
        const limit = limits.get(rule.name) ?? createRateLimit(rule.model);
        limits.set(rule.name, limit);
        if (!limit(exchange.sourceIp, exchange.started)) return blocked(exchange, rule.model.block);
      }
    }
    const malformed = malformedBecause(exchange);
    if (malformed) return answer(exchange, malformed);
    if (!api) return answer(exchange, errorAnswer(tooLong(exchange) ? 'PAYLOAD_TOO_LARGE' : 'ROUTE_NOT_FOUND'));
    if (tooLong(exchange)) return respond(exchange, api, 'REQUEST_TOO_LARGE', 'the URL or the headers are too long');
    const throttle = api.model.throttle;
    if (rateLimit && throttle && !buckets.take(`stage ${api.model.id}`, throttle, exchange.started)) {
      return respond(exchange, api, 'THROTTLED', 'the throttle of the stage');
    }
    exchange.match = api.route(exchange.path);
    const methods = exchange.match?.resource.methods;
    const found = methods?.get(method) ?? methods?.get('ANY');
    if (!found) return respond(exchange, api, 'MISSING_AUTHENTICATION_TOKEN', 'no such resource or method');
    if (found.authorizerId === null) return afterAuthorizer(exchange, api, found);

    const authorizer = api.authorizers.get(found.authorizerId);
    if (!authorizer)
      return respond(exchange, api, 'AUTHORIZER_CONFIGURATION_ERROR', `no authorizer ${found.authorizerId}`);
    const methodArn = `${api.methodArnPrefix}${method}${exchange.path}`;
    if (methodArn.length > maximumArnLength)
      return respond(exchange, api, 'REQUEST_TOO_LARGE', 'the method ARN is too long');
    const decision = authorizers.authorize(exchange, authorizer, methodArn);
    if (!(decision instanceof Promise)) return decided(exchange, api, found, decision);
    return decision.then((settled) => decided(exchange, api, found, settled) ?? undefined);
  };

  function decided(
    exchange: Exchange,
    api: CompiledApi,
    method: MethodModel,
    decision: Decision,
  ): Promise<void> | null {
    if (!decision.allowed) return respond(exchange, api, decision.type, decision.error);
    exchange.authorizer = decision.context;
    exchange.apiKey = method.apiKeyRequired ? decision.apiKey : null;
    return afterAuthorizer(exchange, api, method);
  }

  function afterAuthorizer(exchange: Exchange, api: CompiledApi, method: MethodModel): Promise<void> | null {
    if (method.apiKeyRequired) {
      const plan = api.plans.get(exchange.apiKey ?? '');
      if (!plan) return respond(exchange, api, 'INVALID_API_KEY', 'the authorizer named no key of a usage plan');
      const { throttle } = plan.model;
      if (throttle && !buckets.take(plan.bucket, throttle, now()))
        return respond(exchange, api, 'THROTTLED', 'the usage plan');
    }
    const { integration } = method;
    if (integration.type === 'mock') return answer(exchange, mockAnswer(integration));
    exchange.functionArn = integration.functionArn;
    if (!hasBody(exchange.request)) return run(exchange, api, integration, null);
    return readBody(exchange.request).then((body) => withBody(exchange, api, integration, body));
  }

  async function withBody(
    exchange: Exchange,
    api: CompiledApi,
    integration: LambdaIntegration,
    body: Body,
  ): Promise<void> {
    if (body === 'aborted') exchange.error = 'the client left';
    else if (body === 'too-large') respond(exchange, api, 'REQUEST_TOO_LARGE', 'the body is larger than 10 MB');
    else await run(exchange, api, integration, body.text);
  }

  async function run(
    exchange: Exchange,
    api: CompiledApi,
    integration: LambdaIntegration,
    body: string | null,
  ): Promise<void> {
    const { functionArn, timeoutMs } = integration;
    const result = await invoke(functionArn, proxyEvent(exchange, body), exchange.invocationId, timeoutMs);
    if (result === null) {
      respond(exchange, api, 'INTEGRATION_TIMEOUT', `no answer within ${timeoutMs} ms`);
    } else if (!result.ok) {
      const type = result.errorType === requestTooLarge ? 'REQUEST_TOO_LARGE' : 'INTEGRATION_FAILURE';
      respond(exchange, api, type, `${result.errorType}: ${result.errorMessage}`);
    } else {
      const parsed = parseLambdaResponse(result.payload);
      if (typeof parsed === 'string') malformedResponse(exchange, api, parsed);
      else {
        try {
          write(exchange, parsed);
        } catch (error) {
          // A header with a character that HTTP does not have.
          malformedResponse(exchange, api, String(error));
        }
      }
    }
  }
}

type LambdaIntegration = Extract<IntegrationModel, { type: 'lambda' }>;

function malformedResponse(exchange: Exchange, api: CompiledApi, why: string): null {
  return respond(exchange, api, 'API_CONFIGURATION_ERROR', `malformed Lambda proxy response: ${why}`);
}

function respond(exchange: Exchange, api: CompiledApi, type: GatewayResponseType, error: string): null {
  exchange.gatewayResponse = type;
  exchange.error = error;
  return answer(
    exchange,
    api.respond(type, (name) => contextOf(exchange, name)),
  );
}

function answer(exchange: Exchange, what: Answer): null {
  // An answer may come before the end of the request, which can have any length.
  const { request, response } = exchange;
  const much = Number(request.headers['content-length'] ?? 0) > 65_536 || !response.shouldKeepAlive;
  if (hasBody(request) && !request.complete && (much || exchange.gatewayResponse === 'REQUEST_TOO_LARGE')) {
    writeAndClose(exchange, what);
  } else {
    write(exchange, what);
  }
  return null;
}

function blocked(
  exchange: Exchange,
  block: { status: number; headers: Readonly<Record<string, string>>; body: string },
): null {
  exchange.error = 'the rate-based rule of the firewall';
  return answer(exchange, { status: block.status, headers: withContentType(block.headers), body: block.body });
}

function mockAnswer({ status, headers, body }: Extract<IntegrationModel, { type: 'mock' }>): Answer {
  return { status, headers: withContentType(headers), body };
}

function withContentType(headers: Readonly<Record<string, string>>): string[] {
  const list = Object.entries(headers).flat();
  const given = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return given ? list : ['Content-Type', 'application/json', ...list];
}
