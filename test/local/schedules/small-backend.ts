import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Backend, type BackendOptions, startBackend } from '../../../lib/local/backend.ts';
import { credentialsOf } from '../../../lib/local/credentials.ts';
import type { StageFiles } from '../../../lib/local/template/stage-model.ts';
import { assembly, type Resource } from '../template/assembly.ts';
import { allow, get, ref } from '../template/small-parts.ts';

/** A whole backend of one function, with a key, an event bus, a ledger and a rule that runs the function. */

const code = `export const handler = async (event) => {
  if (event.detail?.fails) throw new Error('as the event asked');
  if (event.Records) console.log(JSON.stringify(event.Records));
  const { AWS_ENDPOINT_URL_KMS: kms, AWS_ENDPOINT_URL_EVENTBRIDGE: events } = process.env;
  return { event, kms, events };
};`;

const leftToIam = { Effect: 'Allow', Principal: { AWS: { 'Fn::Sub': 'arn:aws:iam::\u0024{AWS::AccountId}:root' } } };

function smallResources(): Record<string, Resource> {
  return {
    SigningKey: {
      Type: 'AWS::KMS::Key',
      Properties: {
        Description: 'signs receipts',
        KeySpec: 'ECC_NIST_P256',
        KeyUsage: 'SIGN_VERIFY',
        KeyPolicy: { Statement: [{ ...leftToIam, Action: 'kms:*', Resource: '*' }] },
      },
    },
    SigningAlias: {
      Type: 'AWS::KMS::Alias',
      Properties: { AliasName: 'alias/receipts', TargetKeyId: ref('SigningKey') },
    },
    Events: { Type: 'AWS::Events::EventBus', Properties: { Name: 'consents' } },
    Ledger: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        ResourcePolicy: {
          PolicyDocument: {
            Statement: [
              {
                Effect: 'Deny',
                Principal: '*',
                Action: 'dynamodb:DeleteItem',
                Resource: '*',
                Condition: { BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' } },
              },
            ],
          },
        },
      },
    },
    SweepRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        Policies: [
          allow(['kms:Sign', 'kms:GetPublicKey'], get('SigningKey', 'Arn')),
          allow('events:PutEvents', get('Events', 'Arn')),
          allow('dynamodb:*', '*'),
        ],
      },
    },
    Sweep: {
      Type: 'AWS::Lambda::Function',
      Metadata: { operation: 'sweep' },
      Properties: { Code: { S3Key: 'code.zip' }, Handler: 'index.handler', Role: get('SweepRole', 'Arn') },
    },
    SweepRule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression: 'rate(5 minutes)',
        State: 'ENABLED',
        Targets: [{ Id: 'sweep', Arn: get('Sweep', 'Arn') }],
      },
    },
    SweepPermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        Principal: 'events.amazonaws.com',
        FunctionName: ref('Sweep'),
        SourceArn: get('SweepRule', 'Arn'),
      },
    },
    // Waits for events, which nobody delivers here.
    Listener: { Type: 'AWS::Events::Rule', Properties: { EventBusName: ref('Events'), EventPattern: {}, Targets: [] } },
  };
}

export type Change = (resources: Record<string, Resource>) => void;

export function smallAssembly(change: Change = () => undefined): StageFiles {
  const resources = smallResources();
  change(resources);
  const directory = assembly({ Small: { Resources: resources } }, { 'code.zip': 'asset.code' });
  mkdirSync(join(directory, 'asset.code'));
  writeFileSync(join(directory, 'asset.code', 'index.mjs'), code);
  return { directory };
}

export async function smallBackend(options: BackendOptions & { change?: Change } = {}) {
  const problems: string[] = [];
  const { change, ...rest } = options;
  const backend: Backend = await startBackend(smallAssembly(change), {
    onSourceProblem: (line) => problems.push(line),
    ...rest,
  });
  onTestFinished(backend.close);
  const [fn] = backend.model().functions;
  if (!fn) throw new Error('the small template has no function');
  return { backend, problems, fn, asFunction: credentialsOf(fn) };
}
