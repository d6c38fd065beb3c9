import type { ApiModel, AuthorizerModel, RateLimitModel, StageModel, UsagePlanModel } from '../model.ts';
import { compileGatewayResponses, type GatewayResponses } from './gateway-responses.ts';
import { compileRoutes, type RouteMatch } from './routes.ts';

export type IdentitySource = { readonly in: 'header' | 'querystring'; readonly name: string };

export type CompiledAuthorizer = { readonly model: AuthorizerModel; readonly sources: readonly IdentitySource[] };

type UsagePlan = { readonly bucket: string; readonly model: UsagePlanModel };

export type CompiledApi = {
  readonly model: ApiModel;
  readonly accountId: string;
  readonly region: string;
  readonly route: (path: string) => RouteMatch | null;
  readonly respond: GatewayResponses;
  readonly authorizers: ReadonlyMap<string, CompiledAuthorizer>;
  /** The plan of each API key. */
  readonly plans: ReadonlyMap<string, UsagePlan>;
  /** `arn:aws:execute-api:<region>:<account>:<api>/<stage>/`. */
  readonly methodArnPrefix: string;
};

export type CompiledStage = {
  readonly apis: ReadonlyMap<string, CompiledApi>;
  readonly rules: readonly { readonly model: RateLimitModel; readonly name: string }[];
};

const compiled = new WeakMap<StageModel, CompiledStage>();

/**
 * Everything that the gateway needs from a model, computed once.
 *
 * @throws if the model needs something that the gateway cannot do.
 */
export function compileStage(model: StageModel): CompiledStage {
  const known = compiled.get(model);
  if (known) return known;
  const apis = new Map<string, CompiledApi>();
  for (const api of model.apis) {
    const other = apis.get(api.stageName);
    if (other) throw new Error(`The APIs ${other.model.name} and ${api.name} have one stage name, ${api.stageName}`);
    apis.set(api.stageName, compileApi(api, model));
  }
  // "If you change any of the rate limit settings in a rule that's in use, the change resets the rule's rate limiting counts."
  const rules = model.rateLimits.map((rule) => ({
    model: rule,
    name: `${rule.limit}/${rule.windowSeconds}/${rule.apiIds}`,
  }));
  const stage = { apis, rules };
  compiled.set(model, stage);
  return stage;
}

function compileApi(api: ApiModel, { region, accountId }: StageModel): CompiledApi {
  const plans = new Map<string, UsagePlan>();
  for (const plan of api.usagePlans) {
    for (const key of plan.keys) {
      // A plan's limits "apply to requests for individual API keys that are aggregated across all API stages within a usage
      // plan", so the bucket's name does not hold the API.
      const { ratePerSecond, burst } = plan.throttle ?? {};
      plans.set(key, { bucket: `plan ${ratePerSecond} ${burst} ${plan.keys} ${key}`, model: plan });
    }
  }
  return {
    model: api,
    region,
    accountId,
    route: compileRoutes(api),
    respond: compileGatewayResponses(api),
    authorizers: new Map(api.authorizers.map((model) => [model.id, { model, sources: sourcesOf(model) }])),
    plans,
    methodArnPrefix: `arn:aws:execute-api:${region}:${accountId}:${api.id}/${api.stageName}/`,
  };
}

function sourcesOf({ id, type, identitySource }: AuthorizerModel): IdentitySource[] {
  const listed = identitySource.split(',').map((source) => source.trim());
  const sources = listed
    .filter((source) => source !== '')
    .map((source): IdentitySource => {
      const [, where, name] = /^method\.request\.(header|querystring)\.(.+)$/.exec(source) ?? [];
      if ((where !== 'header' && where !== 'querystring') || !name) {
        throw new Error(`Authorizer ${id}: the local gateway cannot read the identity source ${source}`);
      }
      return { in: where, name };
    });
  if (type === 'TOKEN' && (sources.length !== 1 || sources[0]?.in !== 'header')) {
    throw new Error(
      `Authorizer ${id}: a TOKEN authorizer has one header as its identity source, not ${identitySource}`,
    );
  }
  return sources;
}
