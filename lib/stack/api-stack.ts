import { createHash } from 'node:crypto';
import { CfnDeployment, CfnRestApi, type CfnRestApiProps } from 'aws-cdk-lib/aws-apigateway';
import { type CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Aws, CfnOutput, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { runsIn } from '../contract/consumer.ts';
import type { ConsumerFunction, Operation } from '../contract/declarations.ts';
import type { Application, Environment } from '../contract/register.ts';
import { existsIn } from '../contract/route.ts';
import { ofKind } from '../contract/uses.ts';
import { acknowledge } from './acknowledgements.ts';
import { addServerErrorAlarm, addSetAsideAlarm } from './alarms.ts';
import { addAuthorizer } from './authorizer.ts';
import { ConsumerStack } from './consumer-stack.ts';
import { mapToDomain } from './custom-domain.ts';
import { DomainStack } from './domain-stack.ts';
import { addFunction, type CodeOf, type FunctionHome } from './function.ts';
import { type GatewayRoute, gatewayBody, transport } from './gateway-body.ts';
import { allowAuthorizer, allowInvocation } from './invocation.ts';
import { addAlarms, addForbiddenAlarm, addTokensRefusedAlarm } from './monitoring.ts';
import { logicalId } from './names.ts';
import { deploymentOf, settingsOf } from './product-app.ts';
import { protect } from './rate-limit.ts';
import { sizes } from './settings.ts';
import { SharedState } from './shared-state.ts';
import { stackProps } from './stack-props.ts';
import { addStage } from './stage.ts';
import type { StateStack } from './state-stack.ts';
import { addTokenTrigger } from './token-trigger.ts';
import { addUsagePlan } from './usage-plan.ts';

export type ApiProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: StateStack;
  readonly codeOf: CodeOf | null;
  readonly operations: readonly Operation[];
  readonly consumers: readonly ConsumerFunction[];
};

/**
 * One application's API, defined by one body. Each domain has a nested stack with its functions. The body names the
 * functions, and the permissions to call them name the API. So the permissions are in this stack, one for each route, and
 * the stage waits for them.
 */
export class ApiStack extends Stack {
  private readonly props: ApiProps;
  private readonly home: FunctionHome;
  private readonly state: SharedState;
  /** Those whose functions call procedures. */
  private readonly calling: DomainStack[] = [];

  constructor(scope: Construct, props: ApiProps) {
    const { environment, application, codeOf } = props;
    const id = logicalId(application);
    super(scope, id, stackProps(scope, environment, id, { application }));
    this.props = props;
    const state = new SharedState(this, props.state);
    this.state = state;
    this.home = { codeOf, keyArn: state.key.attrArn, settings: settingsOf(this, environment) };
    const apiName = `mobile-health-${environment}-${application}`;
    const identity = state.identity(application);
    const authorizer = addAuthorizer(this, { environment, application, home: this.home, state });
    const notFound = this.addRouteNotFound();
    const routes = this.routes();
    const { api, deployment } = this.addApi(apiName, gatewayBody({ name: apiName, authorizer, notFound, routes }));
    allowAuthorizer(this, authorizer, api.ref);
    addTokenTrigger(this, { environment, application, home: this.home, state });
    const caller = { apiId: api.ref, application };
    // This function answers on every path for every method, so its permission covers all of them.
    allowInvocation(this, 'RouteNotFoundInvocation', notFound, { ...caller, method: '*', path: '*' });
    for (const { id, route, called } of routes) {
      const { method, path } = route;
      allowInvocation(this, `${logicalId(id)}Invocation`, called, { ...caller, method, path });
    }
    this.addConsumers();
    const { stage: name, basePath } = deploymentOf(this, application);
    const stage = addStage(this, { name, apiId: api.ref, deployment, home: this.home });
    // The stage waits for all permissions: no request arrives before they exist.
    for (const each of this.node.children) if (each instanceof CfnPermission) stage.addResourceDependency(each);
    const clients = identity.clients.keys();
    addUsagePlan(this, { environment, application, apiId: api.ref, stage: stage.ref, clients });
    protect(this, state.webAcl, api.ref, stage.ref);
    const { customDomain } = this.home.settings;
    if (customDomain) mapToDomain(this, customDomain, { apiId: api.ref, stage: stage.ref, basePath: name });
    const watch = { ...state.watch, application };
    addServerErrorAlarm(this, { name: apiName, stage: name }, watch);
    addForbiddenAlarm(this, watch);
    addTokensRefusedAlarm(this, watch);
    addSetAsideAlarm(this, watch);
    addAlarms(this, this.operationsHere(), watch);
    new CfnOutput(this, 'BaseAddress', {
      value: `https://${customDomain?.name ?? `${api.ref}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`}${basePath}`,
    });
  }

  /**
   * API Gateway serves a snapshot of the API. CloudFormation makes a new one only if the deployment's logical id changes,
   * so the id is a hash of the whole definition.
   */
  private addApi(name: string, body: object): { api: CfnRestApi; deployment: CfnDeployment } {
    const props: CfnRestApiProps = {
      name,
      body,
      // A typo causes an error instead of a missing route.
      failOnWarnings: true,
      // The mode stays the default: a new body takes precedence, and settings that exist only as properties are kept.
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html
      endpointConfiguration: { types: ['REGIONAL'] },
      // An import would first make it edge-optimized, and make a documentation part of each description; an API can have
      // 2,000 of these.
      parameters: { endpointConfigurationTypes: 'REGIONAL', ignore: 'documentation' },
      apiKeySourceType: 'AUTHORIZER',
      ...transport,
    };
    const api = new CfnRestApi(this, 'Api', props);
    acknowledge(api, 'validatedByItsFunction');
    const digest = createHash('sha256')
      .update(JSON.stringify(this.resolve(props)))
      .digest('hex')
      .slice(0, 12);
    return { api, deployment: new CfnDeployment(this, `Deployment${digest}`, { restApiId: api.ref }) };
  }

  private operationsHere(): Operation[] {
    const { environment, application, operations } = this.props;
    return operations.filter(({ route }) => existsIn(route, environment, application)).toSorted(byName);
  }

  /** The routes with their functions. */
  private routes(): GatewayRoute[] {
    const { environment, application } = this.props;
    const shared = { environment, application, state: this.state, home: this.home };
    const { prefix } = deploymentOf(this, application);
    const domains = Map.groupBy(this.operationsHere(), ({ domain }) => domain);
    return [...domains].flatMap(([domain, operations]) => {
      const stack = new DomainStack(this, domain, { ...shared, operations });
      if (operations.some(({ route }) => ofKind(route.uses, 'procedure').length > 0)) this.calling.push(stack);
      return [...stack.functions].map(([{ id, route }, called]) => {
        return { id, route, path: `${prefix}${route.path}`, called };
      });
    });
  }

  private addConsumers(): void {
    const { environment, application, consumers } = this.props;
    const consuming = consumers.filter(({ consumer }) => runsIn(consumer, application)).toSorted(byName);
    if (consuming.length === 0) return;
    const shared = { environment, application, state: this.state, home: this.home };
    const stack = new ConsumerStack(this, { ...shared, consumers: consuming });
    // A name is no reference: without this a new caller could be there before what it calls.
    for (const each of this.calling) each.addStackDependency(stack);
    for (const [id, { ref: value }] of stack.ofStreams) new CfnOutput(this, `${id}FunctionName`, { value });
  }

  /** Answers every path and method that no route declares. */
  private addRouteNotFound(): CfnFunction {
    const { environment, application } = this.props;
    return addFunction(this, this.home, {
      name: 'route-not-found',
      description: 'Answers 404 where there is no route',
      size: sizes.routeNotFound,
      environment: { ENVIRONMENT: environment, APPLICATION: application },
    });
  }
}

/** Sorted over all domains: the order of the domains changes no template, and causes no new deployment. */
function byName(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
