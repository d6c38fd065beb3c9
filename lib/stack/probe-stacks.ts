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
import type { ProductModule } from '../contract/declarations.ts';
import type { Environment } from '../contract/register.ts';
import { userPoolVariables } from '../contract/uses.ts';
import { addAnalytics } from './analytics.ts';
import { addVault } from './backup.ts';
import { datedAndReadable } from './evidence-buckets.ts';
import { gatewayBody, transport } from './gateway-body.ts';
import { readVariables, writeLogs } from './grants.ts';
import { addIdentity } from './identity.ts';
import { allowAuthorizer, allowInvocation } from './invocation.ts';
import { addKey } from './key.ts';
import { appendOnly } from './ledger.ts';
import { tokenTriggerName } from './names.ts';
import { arn, assumedBy, policy } from './policy.ts';
import { addPrivateBucket } from './private-bucket.ts';
import { probeBody } from './probe-body.ts';
import { probeFunction, probeTrigger } from './probe-function.ts';
import { probed, routesOf } from './probe-paths.ts';
import { ProductApp, productOf, settingsOf } from './product-app.ts';
import { addWebAcl, protect } from './rate-limit.ts';
import { allowUserPool } from './token-trigger.ts';
import { addUsagePlan, keyValue } from './usage-plan.ts';

/**
 * Two temporary stacks with every construct that AWS does not document well enough. The same code makes a stage's
 * constructs. `npm run cli -- preflight --stage dev --probe` makes the stacks in a real account, checks them and deletes them.
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

/** The client of the plan with a limit, which is so small that a few calls exceed it. */
const tool = 'integration';

export function probeTemplates(module: ProductModule, environment: Environment): ProbeTemplates {
  const made = (isAgain: boolean) => {
    const app = new ProductApp(module, {
      postCliContext: { '@aws-cdk/core:suppressTemplateIndentation': true, 'aws:cdk:enable-path-metadata': false },
      // CloudFormation itself looks at what is sent.
      builtinCloudFormationValidation: false,
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

function triggerName(environment: Environment): string {
  return tokenTriggerName(environment, 'probe');
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
    // Without a lock, so that it can be deleted: the policy is what AWS has to show.
    const evidence = addPrivateBucket(this, 'Evidence', home, {}, datedAndReadable);
    const { application } = probed(productOf(this).product);
    const trigger = triggerName(environment);
    const { pool, clients, ownAccountClient } = addIdentity(this, environment, application, chosen, trigger);
    const ownAccount = ownAccountClient.ref;
    const shared = {
      Key: key.attrArn,
      Replaced: replaced.ref,
      Secret: secret.ref,
      PoolArn: pool.attrArn,
      OwnAccount: ownAccount,
    };
    for (const [name, value] of Object.entries(shared))
      new StoredParameter(this, `${name}Shared`, {
        type: 'String',
        name: parameterName(environment, name),
        value,
      });
    const outputs = {
      EvidenceBucketName: evidence.ref,
      LedgerName: ledger.ref,
      ReplacedName: replaced.ref,
      PoolId: pool.ref,
      KeyArn: key.attrArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    new CfnOutput(this, 'OwnAccountClientId', { value: ownAccount });
    new CfnOutput(this, 'ClientId', { value: [...clients.values()][0]?.ref ?? '' });
  }
}

class ProbeApi extends Stack {
  constructor(app: App, environment: Environment, props: StackProps, isAgain: boolean) {
    super(app, 'ProbeApi', props);
    const read = (name: string) => this.read(environment, name);
    const module = productOf(this);
    const { application, stage } = probed(module.product);
    const [keyArn, replaced, secret] = [read('Key'), read('Replaced'), read('Secret')];
    const name = `mobile-health-${environment}-probe`;
    const probe = this.addFunction(environment, name, keyArn, replaced, secret);
    this.addTrigger(environment, keyArn);
    const body = gatewayBody({
      name,
      authorizer: probe,
      notFound: probe,
      routes: routesOf(module, probe, environment),
    });
    const api = new CfnRestApi(this, 'Api', {
      name,
      body: probeBody(body, refusedBy),
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

  private read(environment: Environment, name: string): string {
    return new CfnParameter(this, name, {
      type: 'AWS::SSM::Parameter::Value<String>',
      default: parameterName(environment, name),
    }).valueAsString;
  }

  /** What the probe's user pool calls before it signs a token. */
  private addTrigger(environment: Environment, keyArn: string): void {
    const logs = new CfnLogGroup(this, 'TriggerLogs', { retentionInDays: 1, kmsKeyId: keyArn });
    logs.applyRemovalPolicy(RemovalPolicy.DESTROY);
    const role = new CfnRole(this, 'TriggerRole', {
      assumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
      policies: [{ policyName: 'trigger', policyDocument: policy(writeLogs(logs.attrArn)) }],
    });
    const trigger = new CfnFunction(this, 'Trigger', {
      functionName: triggerName(environment),
      role: role.attrArn,
      code: { zipFile: probeTrigger },
      handler: 'index.handler',
      runtime: 'nodejs24.x',
      architectures: ['arm64'],
      timeout: 5,
      loggingConfig: { logGroup: logs.ref, logFormat: 'Text' },
      environment: { variables: { [userPoolVariables.ownAccountClientId]: this.read(environment, 'OwnAccount') } },
    });
    allowUserPool(this, trigger, this.read(environment, 'PoolArn'));
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
