import type { StageModel, UserPoolClientModel, UserPoolModel } from '../../../lib/local/model.ts';

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
      timeoutMs: 29_000,
    },
  ],
  methods: [],
  gatewayResponses: [],
  throttle: null,
  usagePlans: [],
});

const functions = [authorizer('sleepcare'), authorizer('medinfo')];

export function client(id: string, name: string, more: Partial<UserPoolClientModel> = {}): UserPoolClientModel {
  return {
    id,
    name,
    authFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'],
    accessSeconds: 900,
    refreshSeconds: 30 * 86_400,
    rotationGraceSeconds: 60,
    sessionSeconds: 180,
    preventsExistenceErrors: true,
    revokesTokens: true,
    ...more,
  };
}

export function pool(name: keyof typeof poolIds, more: Partial<UserPoolModel>): UserPoolModel {
  const id = poolIds[name];
  return {
    id,
    arn: `arn:aws:cognito-idp:eu-central-1:000000000000:userpool/${id}`,
    name,
    clients: [],
    groups: [],
    secondFactor: 'OPTIONAL',
    signsInByEmail: true,
    passwordPolicy: {
      minimumLength: 12,
      needsUppercase: false,
      needsLowercase: false,
      needsNumbers: false,
      needsSymbols: false,
      temporaryDays: 7,
    },
    tokenTrigger: null,
    ...more,
  };
}

/** As much of a stage as identity is about: two applications, each with its pool. */
export const identityModel: StageModel = {
  region: 'eu-central-1',
  accountId: '000000000000',
  outputs: [],
  functions,
  apis: functions.map(({ arn, name }) => api(arn, name)),
  rateLimits: [],
  queues: [],
  buckets: [],
  topics: [],
  eventSources: [],
  keys: [],
  eventBuses: [],
  schedules: [],
  tables: [],
  principals: [],
  userPools: [
    pool('sleepcare', {
      clients: [client('appclient', 'mobile-app'), client('toolsclient', 'developer-tools')],
      groups: ['patient', 'developer'],
      secondFactor: 'OFF',
    }),
    pool('medinfo', { clients: [client('crmclient', 'mobile-app')], groups: ['physician', 'admin', 'developer'] }),
  ],
};
