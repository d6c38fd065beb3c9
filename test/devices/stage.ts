import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteEndpointCommand,
  DeletePlatformApplicationCommand,
  GetEndpointAttributesCommand,
  ListEndpointsByPlatformApplicationCommand,
  SetEndpointAttributesCommand,
  SNSClient,
} from '@aws-sdk/client-sns';
import { type DynamoDBDocumentClient, GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import type { Fault as ServiceFault } from '../../lib/local/service/faults.ts';
import type { SnsCall } from '../../lib/local/sns/sns.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callerAt } from '../caller-at.ts';

/** A stage of the file's own, with a look at what SNS and the tables hold, and faults of SNS. */

/** Of the row by which a user's devices are counted, which is no token's. */
const isNewest = /^newest#/;

type Row = Record<string, unknown> & { endpointArn: string; revision: string };

export function ownStage(options: StageOptions = {}) {
  let stage: RunningStage;
  let data: DynamoDBDocumentClient;
  let sns: SNSClient;
  const log: string[] = [];
  const calls: string[] = [];
  const faults: { of?: (call: SnsCall) => ServiceFault | undefined } = {};

  beforeAll(async () => {
    stage = await startStage({
      rateLimit: false,
      onLog: (_fn, _stream, line) => log.push(line),
      intercept: {
        sns: (call) => {
          // What SNS's own events lead to comes when it comes, and is not the request's.
          const noting = stage.model().functions.find(({ operation }) => operation === 'note-endpoint-event');
          if (noting && credentialsOf(noting).accessKeyId === call.accessKeyId) return undefined;
          calls.push(call.action);
          return faults.of?.(call);
        },
      },
      ...options,
    });
    const { endpoint, region, credentials } = stage.data;
    data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
    sns = new SNSClient({ endpoint: stage.sns?.url ?? '', region, credentials, maxAttempts: 1 });
  });
  beforeEach(() => {
    delete faults.of;
    calls.length = 0;
  });
  afterAll(async () => {
    data.destroy();
    sns.destroy();
    await stage.close();
  });

  return {
    log,
    /** What was asked of SNS since the test began. */
    calls,
    faults,
    /** A signed-in user's view of the own devices. */
    user: async (userId: string = randomUUID()) => {
      const call = await callerAt(stage, { user: userId });
      const send = (method: string, path = '', body?: object) => call(method, `/users/me/devices${path}`, body);
      return {
        userId,
        put: (deviceId: string, more: object = {}) => send('PUT', `/${deviceId}`, { ...phone(), ...more }),
        list: async () => (await send('GET')).body.items,
        delete: (deviceId: string) => send('DELETE', `/${deviceId}`),
        row: async (deviceId: string) => {
          const TableName = stage.data.tables('Devices');
          const found = await data.send(new GetCommand({ TableName, Key: { userId, deviceId }, ConsistentRead: true }));
          return found.Item as Row | undefined;
        },
      };
    },
    /** Whose the tokens and endpoints are, by key. */
    owners: async () => {
      const { Items = [] } = await data.send(new ScanCommand({ TableName: stage.data.tables('DeviceTokens') }));
      return new Map(
        Items.filter(({ tokenKey }) => !isNewest.test(tokenKey)).map(({ tokenKey, userId, deviceId }) => [
          String(tokenKey),
          `${userId} ${deviceId}`,
        ]),
      );
    },
    endpoint: async (EndpointArn: string) => {
      const { Attributes } = await sns.send(new GetEndpointAttributesCommand({ EndpointArn }));
      return Attributes;
    },
    setEndpoint: (EndpointArn: string, Attributes: Record<string, string>) =>
      sns.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes })),
    deleteEndpoint: (EndpointArn: string) => sns.send(new DeleteEndpointCommand({ EndpointArn })),
    deleteApplication: (platform: string) => {
      const found = stage.sns?.platformApplications().find((application) => application.platform === platform);
      return sns.send(new DeletePlatformApplicationCommand({ PlatformApplicationArn: found?.arn }));
    },
    /** All that have one of these tokens. */
    endpointsOf: async (...tokens: string[]) => {
      const found = await Promise.all(
        (stage.sns?.platformApplications() ?? []).map(({ arn }) =>
          sns.send(new ListEndpointsByPlatformApplicationCommand({ PlatformApplicationArn: arn })),
        ),
      );
      return found
        .flatMap(({ Endpoints = [] }) => Endpoints)
        .filter(({ Attributes }) => tokens.includes(Attributes?.Token ?? ''))
        .map(({ EndpointArn }) => EndpointArn);
    },
  };
}

export function phone() {
  return { platform: 'ios', token: iosToken(), environment: 'production', appVersion: '2.1.0', locale: 'de-DE' };
}

export function iosToken(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
}
