import { CfnDeployment, CfnRestApi, CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnParameter as StoredParameter } from 'aws-cdk-lib/aws-ssm';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import {
  type App,
  CfnOutput,
  CfnParameter,
  DefaultStackSynthesizer,
  RemovalPolicy,
  Stack,
  type StackProps,
} from 'aws-cdk-lib/core';
import type { Operation, ProductModule } from '../contract/declarations.ts';
import type { Product } from '../contract/product.ts';
import type { Application, Environment } from '../contract/register.ts';
import { existsIn, isMetered, type Route } from '../contract/route.ts';
import { addAnalytics } from './analytics.ts';
import { addVault } from './backup.ts';
import { type GatewayRoute, gatewayBody, transport } from './gateway-body.ts';
import { readVariables, writeLogs } from './grants.ts';
import { addIdentity } from './identity.ts';
import { allowAuthorizer, allowInvocation } from './invocation.ts';
import { addKey } from './key.ts';
import { appendOnly } from './ledger.ts';
import { arn, assumedBy, policy } from './policy.ts';
import { probeFunction } from './probe-function.ts';
import { ProductApp, productOf, settingsOf } from './product-app.ts';
import { addWebAcl, protect } from './rate-limit.ts';
import { addUsagePlan, keyValue } from './usage-plan.ts';

/**
 * Two temporary stacks with every construct that AWS does not document well enough. The same code makes a stage's
 * constructs. `npm run preflight -- --stage dev --probe` makes the stacks in a real account, checks them and deletes them.
 * The templates are small enough to be sent whole, so no bootstrap is needed.
 */

export type ProbeTemplates = {
  readonly state: object;
  /** The table has another name, so CloudFormation replaces it. */
  readonly replaced: object;
  readonly api: object;
  /** The API has another deployment. */
  readonly redeployed: object;
};

export const probeStacks = (environment: Environment) =>
  ({ state: `MobileHealth-${environment}-ProbeState`, api: `MobileHealth-${environment}-ProbeApi` }) as const;

/** The application that has a second factor in its pool, and routes for tools. @throws an Error where none is for staff */
function probed({ applications }: Product) {
  const found = Object.entries(applications).find(([, { isForStaff }]) => isForStaff);
  if (!found) throw new Error('the probe needs an application for staff');
  const [application, { stage, prefix }] = found;
  return { application: application as Application, stage, prefix };
}

/** The client of the plan with a limit, which is so small that a few calls exceed it. */
const tool = 'integration';

export function probeTemplates(module: ProductModule, environment: Environment): ProbeTemplates {
  const made = (isAgain: boolean) => {
    const app = new ProductApp(module, {
      postCliContext: { '@aws-cdk/core:suppressTemplateIndentation': true, 'aws:cdk:enable-path-metadata': false },
      analyticsReporting: false,
      treeMetadata: false,
      stackTraces: false,
    });
    const names = probeStacks(environment);
    const props = (stackName: string): StackProps => ({
      stackName,
      synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
    });
    const state = new ProbeState(app, environment, props(names.state), isAgain);
    const api = new ProbeApi(app, environment, props(names.api), isAgain);
    const assembly = app.synth();
    const templateOf = ({ artifactId }: Stack): object => assembly.getStackArtifact(artifactId).template;
    return { state: templateOf(state), api: templateOf(api) };
  };
  const [first, second] = [made(false), made(true)];
  return { state: first.state, replaced: second.state, api: first.api, redeployed: second.api };
}

function parameterName(environment: Environment, name: string): string {
  return `/mobile-health-probe/${environment}/${name}`;
}

class ProbeState extends Stack {
  constructor(app: App, environment: Environment, props: StackProps, isAgain: boolean) {
    super(app, 'ProbeState', props);
    const chosen = { ...settingsOf(this, environment), keepsData: false };
    const key = addKey(this, environment, chosen);
    const table = (id: string, keys: readonly [string, string], more: object = {}) => {
      const made = new CfnTable(this, id, {
        attributeDefinitions: keys.map((attributeName) => ({ attributeName, attributeType: 'S' })),
        keySchema: keys.map((attributeName, i) => ({ attributeName, keyType: i === 0 ? 'HASH' : 'RANGE' })),
        billingMode: 'PAY_PER_REQUEST',
        sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: key.attrArn },
        ...more,
      });
      made.applyRemovalPolicy(RemovalPolicy.DESTROY);
      return made;
    };
    const keys = ['userAgreement', 'recordedAt'] as const;
    const ledger = table('Ledger', keys, {
      resourcePolicy: { policyDocument: appendOnly({ keys, attributes: keys }, null) },
    });
    const replaced = table('Replaced', ['one', isAgain ? 'three' : 'two']);
    const secret = new CfnSecret(this, 'Secret', {
      kmsKeyId: key.attrArn,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    // The vault's lock can be lifted, and an empty vault can be deleted.
    const days = { dailyDays: 7, monthlyDays: null, lockChangeableForDays: null };
    addVault(this, `mobile-health-${environment}-probe`, { keyArn: key.attrArn, ...days });
    const home = { keyArn: key.attrArn, settings: chosen, accessLogs: null };
    addAnalytics(this, `mobile-health-${environment}-probe`, home, { keepsDays: 1, mostGigabytes: 1 });
    const shared = { Key: key.attrArn, Replaced: replaced.ref, Secret: secret.ref };
    for (const [name, value] of Object.entries(shared))
      new StoredParameter(this, `${name}Shared`, {
        type: 'String',
        name: parameterName(environment, name),
        value,
      });
    const { pool, clients } = addIdentity(this, environment, probed(productOf(this).product).application, chosen);
    const outputs = { LedgerName: ledger.ref, ReplacedName: replaced.ref, PoolId: pool.ref, KeyArn: key.attrArn };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    new CfnOutput(this, 'ClientId', { value: [...clients.values()][0]?.ref ?? '' });
  }
}

class ProbeApi extends Stack {
  constructor(app: App, environment: Environment, props: StackProps, isAgain: boolean) {
    super(app, 'ProbeApi', props);
    const read = (name: string) =>
      new CfnParameter(this, name, {
        type: 'AWS::SSM::Parameter::Value<String>',
        default: parameterName(environment, name),
      }).valueAsString;
    const module = productOf(this);
    const { application, stage } = probed(module.product);
    const [keyArn, replaced, secret] = [read('Key'), read('Replaced'), read('Secret')];
    const name = `mobile-health-${environment}-probe`;
    const probe = this.addFunction(environment, name, keyArn, replaced, secret);
    const body = gatewayBody({
      name,
      authorizer: probe,
      notFound: probe,
      routes: routesOf(module, probe, environment),
    });
    body.paths = withoutRepeatedSteps(body.paths);
    for (const refused of ['THROTTLED', 'QUOTA_EXCEEDED'])
      Object.assign(body['x-amazon-apigateway-gateway-responses'][refused]?.responseParameters ?? {}, {
        [`gatewayresponse.header.${refusedBy}`]: "'gateway'",
      });
    const api = new CfnRestApi(this, 'Api', {
      name,
      body,
      failOnWarnings: true,
      endpointConfiguration: { types: ['REGIONAL'] },
      parameters: { endpointConfigurationTypes: 'REGIONAL', ignore: 'documentation' },
      apiKeySourceType: 'AUTHORIZER',
      ...transport,
    });
    allowAuthorizer(this, probe, api.ref);
    allowInvocation(this, 'Invocation', probe, { apiId: api.ref, application, method: '*', path: '*' });
    const deployment = new CfnDeployment(this, isAgain ? 'Redeployment' : 'Deployment', { restApiId: api.ref });
    const made = new CfnStage(this, 'Stage', { restApiId: api.ref, deploymentId: deployment.ref, stageName: stage });
    addUsagePlan(this, {
      environment,
      application,
      apiId: api.ref,
      stage: made.ref,
      clients: ['mobile-app', tool],
      keyPrefix: 'probe-',
    });
    const settingsHere = { ...settingsOf(this, environment), keepsData: false };
    const webAcl = addWebAcl(this, { name, logGroupName: `aws-waf-logs-${name}`, settings: settingsHere });
    tellFirewall(webAcl);
    protect(this, webAcl, api.ref, made.ref);
    new CfnOutput(this, 'Address', {
      value: `https://${api.ref}.execute-api.${this.region}.${this.urlSuffix}/${stage}`,
    });
    new CfnOutput(this, 'ApiId', { value: api.ref });
    new CfnOutput(this, 'FunctionName', { value: probe.ref });
    new CfnOutput(this, 'FunctionArn', { value: probe.attrArn });
  }

  private addFunction(
    environment: Environment,
    name: string,
    keyArn: string,
    table: string,
    secret: string,
  ): CfnFunction {
    const { application } = probed(productOf(this).product);
    const logs = new CfnLogGroup(this, 'Logs', { retentionInDays: 1, kmsKeyId: keyArn });
    logs.applyRemovalPolicy(RemovalPolicy.DESTROY);
    const allowed = arn('sns', `app/GCM/${name}-allowed`);
    const role = new CfnRole(this, 'Role', {
      assumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
      policies: [
        {
          policyName: 'probe',
          policyDocument: policy(writeLogs(logs.attrArn), readVariables(keyArn), {
            Effect: 'Allow',
            Action: 'sns:CreatePlatformEndpoint',
            Resource: allowed,
          }),
        },
      ],
    });
    return new CfnFunction(this, 'Function', {
      role: role.attrArn,
      code: { zipFile: probeFunction },
      handler: 'index.handler',
      runtime: 'nodejs24.x',
      architectures: ['arm64'],
      timeout: 10,
      loggingConfig: { logGroup: logs.ref, logFormat: 'Text' },
      kmsKeyArn: keyArn,
      environment: {
        variables: {
          SECRET: `{{resolve:secretsmanager:${secret}:SecretString}}`,
          TABLE: table,
          ALLOWED: allowed,
          DENIED: arn('sns', `app/GCM/${name}-denied`),
          API_KEY: `probe-${keyValue(environment, application, tool)}`,
        },
      },
    });
  }
}

/** The web ACL and API Gateway answer with the same text. With this header the checks can tell the two apart. */
export const refusedBy = 'X-Refused-By';

function tellFirewall(webAcl: CfnWebACL): void {
  const at = 'Rules.0.Action.Block.CustomResponse.ResponseHeaders';
  const rules = Stack.of(webAcl).resolve(webAcl.rules);
  const { length } = rules[0].action.block.customResponse.responseHeaders;
  webAcl.addPropertyOverride(`${at}.${length}`, { Name: refusedBy, Value: 'firewall' });
}

const isPublic = ({ auth }: Route) => auth === 'public';

/** Keeps one of the paths that only lead to others: all of them answer 404. The template must be small, since it is sent whole. */
function withoutRepeatedSteps<T extends object>(paths: Readonly<Record<string, T>>): Record<string, T> {
  const isStep = (methods: T) => Object.keys(methods).length === 2;
  const steps = Object.keys(paths).filter((path) => paths[path] && isStep(paths[path]) && path !== '/{proxy+}');
  const kept = [steps.find((path) => path.includes('{')), steps.find((path) => !path.includes('{'))];
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !steps.includes(path) || kept.includes(path)));
}

/**
 * One operation of each form, with the shortest path. A form is: the method, whether it has a parameter, whether it is
 * metered, and whether a GET is public.
 */
function formsIn({ product, declarations }: ProductModule, environment: Environment): Operation[] {
  const { application } = probed(product);
  const depthOf = ({ route }: Operation) => route.path.split('/').length;
  const here = declarations.operations
    .filter(({ route }) => existsIn(route, environment, application))
    .toSorted((one, other) => depthOf(one) - depthOf(other));
  const forms = Map.groupBy(here, ({ route }) =>
    [route.method, route.path.includes('{'), route.method === 'GET' && isPublic(route), isMetered(route)].join(),
  );
  return [...forms.values()].flatMap(([first]) => first ?? []);
}

function routesOf(module: ProductModule, called: CfnFunction, environment: Environment): GatewayRoute[] {
  const { prefix } = probed(module.product);
  return formsIn(module, environment).map(({ id, route }) => ({ id, route, path: `${prefix}${route.path}`, called }));
}

/** The paths that the checks call: each is a `GET` that takes a token. */
export function probePaths(module: ProductModule, environment: Environment): ProbePaths {
  const of = (what: string, isIt: (route: Route) => boolean): string => {
    const found = formsIn(module, environment).find(
      ({ route }) => route.method === 'GET' && !isPublic(route) && isIt(route),
    );
    if (!found) throw new Error(`there is no route that ${what}`);
    return found.route.path.replace(/\{\w+\}/g, 'probe');
  };
  const withParameter = (route: Route) => route.path.includes('{') && !isMetered(route);
  return {
    metered: of('is metered', isMetered),
    unmetered: of('is not metered', (route) => !isMetered(route) && !route.path.includes('{')),
    withSlash: of('has a parameter', withParameter).replace('probe', 'a%2Fb'),
  };
}

export type ProbePaths = { readonly metered: string; readonly unmetered: string; readonly withSlash: string };
