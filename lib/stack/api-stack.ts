import { type CfnAuthorizer, CfnGatewayResponse, CfnMethod, CfnRestApi } from 'aws-cdk-lib/aws-apigateway';
import { type CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Aws, CfnOutput, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { consumers, type Operation } from '../../functions/domains.ts';
import { runsIn } from '../contract/consumer.ts';
import { type Application, deployments, type Environment } from '../contract/deployments.ts';
import { existsIn, isMetered } from '../contract/route.ts';
import { acknowledge } from './acknowledgements.ts';
import { addServerErrorAlarm } from './alarms.ts';
import { addAuthorizer } from './authorizer.ts';
import { ConsumerStack } from './consumer-stack.ts';
import { DeployedParts } from './deployed-parts.ts';
import { DomainStack } from './domain-stack.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { allowInvocation, type Called, invocationUri } from './invocation.ts';
import { addAlarms } from './monitoring.ts';
import { logicalId, pathId } from './names.ts';
import { Paths } from './paths.ts';
import { protect } from './rate-limit.ts';
import { requestParameters } from './request-parameters.ts';
import { integrationTimeoutMs, settings, sizes } from './settings.ts';
import { stackProps } from './stack-props.ts';
import { addStage } from './stage.ts';
import type { StateStack } from './state-stack.ts';
import { addUsagePlan } from './usage-plan.ts';

export type ApiProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: StateStack;
  readonly functionsDir: string;
  readonly operations: readonly Operation[];
};

/**
 * TLS 1.2 with forward secrecy, or 1.3; by default an API takes 1.0. STRICT: the name in the handshake is the one that is
 * asked for. https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const transport = { securityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', endpointAccessMode: 'STRICT' } as const;

/** One application's API: its paths and methods here, its functions in a nested stack for each domain. */
export class ApiStack extends Stack {
  private readonly props: ApiProps;
  private readonly home: FunctionHome;
  private readonly parts = new DeployedParts(this);
  private readonly apiId: string;

  constructor(scope: Construct, props: ApiProps) {
    const { environment, application, state, functionsDir } = props;
    const id = logicalId(application);
    super(scope, id, stackProps(environment, id, { application }));
    this.props = props;
    this.home = { functionsDir, keyArn: state.key.attrArn, settings: settings[environment] };
    const apiName = `mobile-health-${environment}-${application}`;
    const api = this.parts.add(CfnRestApi, 'Api', {
      name: apiName,
      endpointConfiguration: { types: ['REGIONAL'] },
      apiKeySourceType: 'AUTHORIZER',
      ...transport,
    });
    acknowledge(api, 'validatedByItsFunction');
    this.apiId = api.ref;
    const identity = state.identities[application];
    const shared = { environment, application, apiId: this.apiId };
    const authorizer = addAuthorizer(this, this.parts, { ...shared, home: this.home, identity });
    const notFound = invocationUri(this.addRouteNotFound());
    const paths = new Paths(this.parts, this.apiId, api.attrRootResourceId, notFound);
    for (const [operation, called] of this.functions()) this.addRoute(paths, authorizer, operation, called);
    // Sorted, as the operations are: in which order a module lists its exports depends on who loads it.
    const consuming = consumers
      .filter(({ consumer }) => runsIn(consumer, application))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (consuming.length > 0) {
      const shared = { environment, application, state, home: this.home };
      const { ofStreams } = new ConsumerStack(this, { ...shared, consumers: consuming });
      for (const [id, { ref: value }] of ofStreams) new CfnOutput(this, `${id}FunctionName`, { value });
    }
    for (const response of gatewayResponses()) {
      const name = logicalId(...response.responseType.toLowerCase().split('_'));
      this.parts.add(CfnGatewayResponse, `${name}Response`, { restApiId: this.apiId, ...response });
    }
    const { stage: name, basePath } = deployments[application];
    const deployment = this.parts.deploy(this.apiId);
    const stage = addStage(this, { name, apiId: this.apiId, deployment, home: this.home });
    // Nothing is served before it may be called.
    for (const each of this.node.children) if (each instanceof CfnPermission) stage.addResourceDependency(each);
    addUsagePlan(this, { ...shared, stage: stage.ref, clients: identity.clients.keys() });
    protect(this, state.webAcl, this.apiId, stage.ref);
    const watch = { ...state.watch, application };
    addServerErrorAlarm(this, { name: apiName, stage: name }, watch);
    addAlarms(this, this.operationsHere(), watch);
    new CfnOutput(this, 'BaseAddress', {
      value: `https://${this.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}${basePath}`,
    });
  }

  private operationsHere(): Operation[] {
    const { environment, application, operations } = this.props;
    return (
      operations
        .filter(({ route }) => existsIn(route, environment, application))
        // Node lists a module's exports by name, vite as they are written: the template must not follow from the loader.
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    );
  }

  private functions(): [Operation, Called][] {
    const { environment, application, state } = this.props;
    const domains = Map.groupBy(this.operationsHere(), ({ domain }) => domain);
    return [...domains].flatMap(([domain, operations]) => {
      const shared = { environment, application, state, home: this.home, apiId: this.apiId };
      return [...new DomainStack(this, domain, { ...shared, operations }).functions];
    });
  }

  private addRoute(paths: Paths, authorizer: CfnAuthorizer, { id, route }: Operation, called: Called): void {
    const path = `${deployments[this.props.application].prefix}${route.path}`;
    const method = this.parts.add(CfnMethod, `${pathId(path)}${logicalId(route.method.toLowerCase())}`, {
      restApiId: this.apiId,
      resourceId: paths.idOf(path),
      httpMethod: route.method,
      operationName: id,
      ...(route.auth === 'public'
        ? { authorizationType: 'NONE' }
        : { authorizationType: 'CUSTOM', authorizerId: authorizer.ref }),
      apiKeyRequired: isMetered(route),
      requestParameters: requestParameters(route),
      integration: {
        type: 'AWS_PROXY',
        integrationHttpMethod: 'POST',
        uri: invocationUri(called),
        timeoutInMillis: integrationTimeoutMs,
      },
    });
    acknowledge(method, route.auth === 'public' ? 'publicByContract' : 'ownAuthorizer');
  }

  /** Answers every path and method that no route declares. */
  private addRouteNotFound(): CfnFunction {
    const { environment, application } = this.props;
    const made = addFunction(this, this.home, {
      name: 'route-not-found',
      description: 'Answers 404 where there is no route',
      size: sizes.routeNotFound,
      environment: { ENVIRONMENT: environment, APPLICATION: application },
    });
    // It stands on every path for every method, so that is what may call it.
    const caller = { apiId: this.apiId, application, method: '*', path: '*' };
    allowInvocation(this, 'RouteNotFoundInvocation', made, caller);
    return made;
  }
}
