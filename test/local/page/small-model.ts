import type { ApiModel, FunctionModel, MethodModel, StageModel } from '../../../lib/local/model.ts';

const authorizer: FunctionModel = {
  name: 'authorizer',
  arn: 'arn:authorizer',
  operation: 'authorizer',
  codeDir: '',
  handler: 'index.handler',
  environment: { APPLICATION: 'sleepcare' },
  timeoutMs: 1000,
  memoryMb: 128,
  roleArn: '',
};

const method = (httpMethod: string, path: string, authorizerId: string | null): MethodModel => ({
  httpMethod,
  path,
  authorizerId,
  apiKeyRequired: false,
  integration: { type: 'lambda', functionArn: 'arn:any', timeoutMs: 1000 },
});

const api: ApiModel = {
  id: 'a1',
  name: 'small-sleepcare',
  stageName: 'de',
  authorizers: [
    { id: 'z1', type: 'REQUEST', functionArn: authorizer.arn, identitySource: '', cacheSeconds: 0, timeoutMs: 1000 },
  ],
  methods: [
    method('GET', '/v1/users/agreements', 'z1'),
    method('GET', '/v1/mobile/app-version/check', null),
    method('GET', '/v1/nowhere/in/the/document', 'z1'),
    method('ANY', '/v1/users/agreements', null),
    {
      ...method('OPTIONS', '/v1/users/agreements', null),
      integration: { type: 'mock', status: 204, headers: {}, body: '' },
    },
  ],
  gatewayResponses: [],
  throttle: null,
  usagePlans: [],
};

/** As much of a stage as the page reads. */
export const smallModel: StageModel = {
  region: 'eu-central-1',
  accountId: '123456789012',
  outputs: [],
  functions: [authorizer],
  apis: [api],
  rateLimits: [],
  tables: [],
  principals: [],
  userPools: [],
  queues: [],
  buckets: [],
  topics: [],
  eventSources: [],
  keys: [],
  eventBuses: [],
  schedules: [],
};
