import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  GetResourcePolicyCommand,
  type KeySchemaElement,
  ListTagsOfResourceCommand,
  PutResourcePolicyCommand,
  type StreamViewType,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

/**
 * The settings of a table. A restored table has no stream, expiry, point-in-time recovery, policy, tags or protection from
 * deletion:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
 */
export type Equipment = {
  readonly keys: readonly KeySchemaElement[];
  readonly keyArn: string | null;
  readonly stream: StreamViewType | null;
  readonly expiresBy: string | null;
  readonly isRecoverable: boolean;
  /** Without the table's own ARN, which differs. */
  readonly policy: string | null;
  /** Without AWS's own tags (`aws:…`), which nobody can set. */
  readonly tags: Readonly<Record<string, string>>;
  readonly isProtected: boolean;
};

export async function readEquipment(dynamo: DynamoDBClient, TableName: string): Promise<Equipment> {
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  const { TimeToLiveDescription: expiry } = await dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
  const { ContinuousBackupsDescription: backups } = await dynamo.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const arn = Table?.TableArn ?? '';
  const policy = await readPolicy(dynamo, arn);
  const tags = await readTags(dynamo, arn);
  const { StreamSpecification: stream, SSEDescription: encryption, KeySchema = [] } = Table ?? {};
  return {
    keys: KeySchema,
    keyArn: encryption?.KMSMasterKeyArn ?? null,
    stream: stream?.StreamEnabled ? (stream.StreamViewType ?? null) : null,
    expiresBy: /^ENABL/.test(expiry?.TimeToLiveStatus ?? '') ? (expiry?.AttributeName ?? null) : null,
    isRecoverable: backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    policy,
    tags,
    isProtected: Table?.DeletionProtectionEnabled === true,
  };
}

/**
 * The policy comes first: a ledger without it could be changed. The stream and the protection come last, because they make the table
 * busy for a while.
 */
export async function equip(
  dynamo: DynamoDBClient,
  TableName: string,
  wanted: Equipment,
  settled: Settled,
): Promise<void> {
  const { policy, tags, isRecoverable, expiresBy, stream, isProtected } = wanted;
  const found = await readEquipment(dynamo, TableName);
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  const ResourceArn = Table?.TableArn ?? '';
  if (policy) {
    const Policy = policy.replaceAll(ownArn, ResourceArn);
    await settled(() => dynamo.send(new PutResourcePolicyCommand({ ResourceArn, Policy })));
  }
  if (Object.keys(tags).length > 0) {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    await settled(() => dynamo.send(new TagResourceCommand({ ResourceArn, Tags })));
  }
  if (isRecoverable) {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    const command = () => new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification });
    await settled(() => dynamo.send(command()));
  }
  // AWS refuses a setting that already exists. After an interruption this runs again, so the refusal is ignored.
  if (expiresBy && found.expiresBy !== expiresBy) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: expiresBy };
    await settled(() => dynamo.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })));
  }
  if (stream && found.stream !== stream) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: stream };
    await settled(() => dynamo.send(new UpdateTableCommand({ TableName, StreamSpecification })));
  }
  if (isProtected)
    await settled(() => dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })));
}

/** Repeats a call while the table is busy with an earlier change. */
export type Settled = <T>(send: () => Promise<T>) => Promise<T>;

const busy = ['ResourceInUseException', 'ContinuousBackupsUnavailableException'];

export function settledEvery(pollMs: number, times = 40): Settled {
  return async (send) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Error) || !busy.includes(error.name) || tried >= times) throw error;
        await sleep(pollMs);
      }
    }
  };
}

/** The names of the settings that differ. */
export function differences(wanted: Equipment, found: Equipment): string[] {
  return (Object.keys(wanted) as (keyof Equipment)[]).filter((name) => !isDeepStrictEqual(wanted[name], found[name]));
}

const ownArn = '<table>';

async function readPolicy(dynamo: DynamoDBClient, ResourceArn: string): Promise<string | null> {
  const { Policy } = await dynamo.send(new GetResourcePolicyCommand({ ResourceArn })).catch((error: Error) => {
    if (error.name === 'PolicyNotFoundException') return { Policy: undefined };
    throw error;
  });
  return Policy?.replaceAll(ResourceArn, ownArn) ?? null;
}

async function readTags(dynamo: DynamoDBClient, ResourceArn: string): Promise<Record<string, string>> {
  const tags: Record<string, string> = {};
  let NextToken: string | undefined;
  do {
    const page = await dynamo.send(new ListTagsOfResourceCommand({ ResourceArn, ...(NextToken && { NextToken }) }));
    for (const { Key = '', Value = '' } of page.Tags ?? []) if (!Key.startsWith('aws:')) tags[Key] = Value;
    NextToken = page.NextToken;
  } while (NextToken);
  return tags;
}
