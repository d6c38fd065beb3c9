import type { StageModel } from '../../../lib/local/model.ts';

export const poolIds = { sleepcare: 'eu-central-1_SLEEPCARE', medinfo: 'eu-central-1_MEDINFO00' } as const;

const authorizer = (APPLICATION: keyof typeof poolIds) => ({
  name: APPLICATION,
  arn: `arn:aws:lambda:eu-central-1:000000000000:function:${APPLICATION}`,
  operation: 'authorizer',
  codeDir: '/nowhere',
  handler: 'index.handler',
  environment: { APPLICATION, USER_POOL_ID: poolIds[APPLICATION] },
  timeoutMs: 5000,
  memoryMb: 128,
  roleArn: 'arn:aws:iam::000000000000:role/authorizer',
});

const api = (functionArn: string, stageName: string) => ({
  id: stageName,
  name: stageName,
  stageName,
  authorizers: [
    {
      id: stageName,
      type: 'TOKEN' as const,
      functionArn,
      identitySource: 'method.request.header.Authorization',
      cacheSeconds: 60,
    },
  ],
  methods: [],
  gatewayResponses: [],
  throttle: null,
  usagePlans: [],
});

const functions = [authorizer('sleepcare'), authorizer('medinfo')];

/** As much of a stage as identity is about: two applications, each with its pool. */
export const identityModel: StageModel = {
  region: 'eu-central-1',
  accountId: '000000000000',
  functions,
  apis: functions.map(({ arn, name }) => api(arn, name)),
  rateLimits: [],
  tables: [],
  principals: [],
  userPools: [
    {
      id: poolIds.sleepcare,
      name: 'sleepcare',
      clients: [
        { id: 'appclient', name: 'mobile-app' },
        { id: 'toolsclient', name: 'developer-tools' },
      ],
      groups: ['patient', 'developer'],
    },
    {
      id: poolIds.medinfo,
      name: 'medinfo',
      clients: [{ id: 'crmclient', name: 'mobile-app' }],
      groups: ['physician', 'admin', 'developer'],
    },
  ],
};
