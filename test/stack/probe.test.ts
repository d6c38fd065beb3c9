import { describe, expect, test } from 'vitest';
import * as productModule from '../../bin/product.ts';
import { environments } from '../../functions/product.ts';
import { probeFunction } from '../../lib/stack/probe-function.ts';
import { probePaths } from '../../lib/stack/probe-paths.ts';
import { probeTemplates } from '../../lib/stack/probe-stacks.ts';
import { apiBody } from './api-body.ts';
import { ofType, resource, stage, type Template } from './stage.ts';

/** Sent whole: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const mostBytes = 51_200;

describe.each(environments)('%s', (environment) => {
  const made = probeTemplates(productModule, environment);
  const { state, api, replaced, redeployed } = made as unknown as Record<keyof typeof made, Template>;

  test('the templates are small enough to be sent whole, and need no bootstrap and no asset', () => {
    for (const template of [state, api, replaced, redeployed]) {
      const text = JSON.stringify(template);
      expect(Buffer.byteLength(text)).toBeLessThan(mostBytes);
      expect(text).not.toMatch(/cdk-bootstrap|S3Bucket|TemplateURL/);
    }
  });

  test('everything in them goes with its stack', () => {
    for (const [id, { DeletionPolicy, Properties }] of Object.entries({ ...state.Resources, ...api.Resources })) {
      expect(DeletionPolicy ?? 'Delete', id).toBe('Delete');
      expect(Properties.DeletionProtection ?? 'INACTIVE', id).toBe('INACTIVE');
      expect(Properties.DeletionProtectionEnabled ?? false, id).toBe(false);
    }
    const lock = resource(state, 'BackupVault').Properties.LockConfiguration;
    expect(lock, 'a lock that nobody can lift').not.toHaveProperty('ChangeableForDays');
  });

  test('no name is one of the stage itself', () => {
    const nameOf = (properties: Record<string, unknown>) =>
      Object.entries(properties).flatMap(([key, value]) =>
        /^(Name|LogGroupName|BackupVaultName|TableName|BucketName|FunctionName|Value)$/.test(key) ? [value] : [],
      );
    const names = Object.values({ ...state.Resources, ...api.Resources }).flatMap(({ Properties, Type }) =>
      Type === 'AWS::ApiGateway::RestApi' ? [] : nameOf(Properties).filter((value) => typeof value === 'string'),
    );
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(name).toContain('probe');
  });

  test('the second templates replace the table, and make another deployment', () => {
    const keyOf = (template: Template) => JSON.stringify(resource(template, 'Replaced').Properties.KeySchema);
    expect(keyOf(replaced)).not.toBe(keyOf(state));
    const deployments = (template: Template) => Object.keys(ofType('AWS::ApiGateway::Deployment', template));
    expect(deployments(redeployed)).not.toEqual(deployments(api));
  });

  test('the API has a route of each form that the stage’s own has', () => {
    const formsIn = (template: Template | undefined) =>
      new Set(
        Object.entries(apiBody(template).paths).flatMap(([path, methods]) =>
          Object.entries(methods as Record<string, { security?: object[] }>).map(
            ([method, { security = [] }]) =>
              `${method} ${path.includes('{')} ${method === 'get' ? security.length : security.length === 2}`,
          ),
        ),
      );
    expect([...formsIn(api)].sort()).toEqual([...formsIn(stage(environment).templates.Medinfo)].sort());
  });

  test('the checks call paths that it has', () => {
    const { metered, unmetered, withSlash } = probePaths(productModule, environment);
    const served = Object.keys(apiBody(api).paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    for (const path of [metered, unmetered, withSlash])
      expect(
        served.some((each) => each.test(path)),
        path,
      ).toBe(true);
    expect(withSlash).toContain('/a%2Fb');
  });

  test('what API Gateway refuses by itself says so, and nothing else does', () => {
    const responses = apiBody(api)['x-amazon-apigateway-gateway-responses'];
    const saying = Object.entries(responses).filter(([, { responseParameters }]) =>
      Object.keys(responseParameters).includes('gatewayresponse.header.X-Refused-By'),
    );
    expect(saying.map(([type]) => type).sort()).toEqual(['QUOTA_EXCEEDED', 'THROTTLED']);
    expect(JSON.stringify(stage(environment).templates)).not.toContain('X-Refused-By');
  });

  test('the ledger’s policy and the web ACL are as the stage’s', () => {
    const { State } = stage(environment).templates;
    const { Rules, DataProtectionConfig } = resource(api, 'WebAcl').Properties;
    const added = ',{"Name":"X-Refused-By","Value":"firewall"}';
    expect(JSON.stringify(Rules).split(added)).toHaveLength(2);
    expect(JSON.parse(JSON.stringify(Rules).replace(added, ''))).toEqual(resource(State, 'WebAcl').Properties.Rules);
    expect(DataProtectionConfig).toEqual(resource(State, 'WebAcl').Properties.DataProtectionConfig);
    expect(resource(state, 'Ledger').Properties.ResourcePolicy).toBeDefined();
  });
});

describe('the function', () => {
  const handler = (env: Record<string, string>, require: (name: string) => unknown) => {
    const exports: { handler?: (event: object) => Promise<Record<string, unknown>> } = {};
    new Function('exports', 'process', 'require', probeFunction)(exports, { env }, require);
    return exports.handler ?? (() => Promise.reject(new Error('no handler')));
  };
  const env = { SECRET: 's'.repeat(64), TABLE: 't', ALLOWED: 'allowed', DENIED: 'denied', API_KEY: 'key' };
  const none = () => {
    throw new Error('nothing is required');
  };

  test('lets everybody in by the tool’s key', async () => {
    expect(await handler(env, none)({ type: 'TOKEN' })).toMatchObject({ usageIdentifierKey: 'key' });
  });

  test('tells its variables, but no secret', async () => {
    expect(await handler(env, none)({ probe: 'variables' })).toEqual({ secretLength: 64, table: 't' });
  });

  test('decrypts by the context that it is given, and tells the refusal’s name', async () => {
    const asked: unknown[] = [];
    const sdk = {
      KMSClient: class {
        async send({ input }: { input: { EncryptionContext: { of: string } } }): Promise<void> {
          asked.push(input);
          if (input.EncryptionContext.of !== 'own') throw Object.assign(new Error(), { name: 'AccessDeniedException' });
        }
      },
      DecryptCommand: class {
        input: object;
        constructor(input: object) {
          this.input = input;
        }
      },
    };
    const ask = (of: string) =>
      handler(env, () => sdk)({ probe: 'decrypt', encrypted: Buffer.from('text').toString('base64'), context: { of } });
    expect(await ask('own')).toEqual({ answer: 'done' });
    expect(await ask('other')).toEqual({ answer: 'AccessDeniedException' });
    expect(asked[0]).toEqual({ CiphertextBlob: Buffer.from('text'), EncryptionContext: { of: 'own' } });
  });

  test('tells by which names SNS refuses', async () => {
    const sdk = {
      SNSClient: class {
        async send({ arn }: { arn: string }): Promise<void> {
          throw Object.assign(new Error(), { name: `no ${arn}` });
        }
      },
      CreatePlatformEndpointCommand: class {
        arn: string;
        constructor({ PlatformApplicationArn }: { PlatformApplicationArn: string }) {
          this.arn = PlatformApplicationArn;
        }
      },
    };
    expect(await handler(env, () => sdk)({ probe: 'sns' })).toEqual({ allowed: 'no allowed', denied: 'no denied' });
  });

  test('answers the API with what it was called as', async () => {
    const event = { resource: '/users/{userId}', path: '/users/a', pathParameters: { userId: 'a' }, headers: {} };
    const { body, statusCode } = await handler(env, none)(event);
    expect([statusCode, JSON.parse(String(body))]).toMatchObject([200, { resource: '/users/{userId}' }]);
  });
});
