import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { numberIn } from '../../../lib/runtime/documents.ts';
import type { Line } from '../../../lib/runtime/log.ts';
import { type Objects, putOnce } from '../../../lib/runtime/objects.ts';
import type { RowChange, StoredRow } from '../rules/row-change.ts';
import { type Operators, tellFindings } from './operators.ts';

/** Forbidden changes of a table, from its stream: first kept where nobody can remove them, then counted, then told. */

/** A watched table, and the names of what is found about it. */
export type WatchedTable = {
  /** Where suspicious rows are stored. */
  readonly prefix: `${string}/`;
  readonly metric: string;
  /** The message of the log line. */
  readonly message: string;
  /** The subject of the message to people. */
  readonly subject: string;
  readonly runbook: string;
};

export type Reporting = {
  readonly evidence: Objects;
  readonly operators: Operators;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

export type Tampering = {
  readonly eventId: string;
  readonly suspicion: string;
  readonly at: Date;
  /** What is stored of it: the row before and after. */
  readonly kept: object;
  /** What the log has of it: nothing that identifies a person. */
  readonly row: Readonly<Record<string, string>>;
  /** The same in words. */
  readonly says: string;
  /** Only logged and counted: there may be a hundred thousand of them, and they are known elsewhere. */
  readonly isExpected?: boolean;
};

/**
 * An alarm that is already on for one finding does not report the next one, so people get a message about each batch.
 *
 * @throws if the bucket or the topic cannot be reached; the batch comes again, and an object is stored only once
 */
export async function reportTampering(
  found: readonly Tampering[],
  watched: WatchedTable,
  { evidence, operators, log }: Reporting,
): Promise<void> {
  const reported = found.filter(({ isExpected = false }) => !isExpected);
  const object = await lay(reported, watched, evidence);
  for (const { suspicion, row, isExpected = false } of found) {
    const line = { level: 'ERROR', message: watched.message, suspicion, ...row, object: isExpected ? null : object };
    log(line as Line, { [watched.metric]: 1 });
  }
  await tellFindings(operators, {
    subject: watched.subject,
    lines: reported.map(({ suspicion, says, at }) => `${at.toISOString()} ${suspicion}: ${says}`),
    where: `The rows as they were before and after: ${object}. What to do: docs/runbook.md#${watched.runbook}`,
  });
}

/** One object for a batch, so that many changes can be stored as fast as they come. */
async function lay(found: readonly Tampering[], { prefix }: WatchedTable, evidence: Objects): Promise<string | null> {
  const [first] = found;
  if (!first) return null;
  const changes = found.map(({ eventId, suspicion, kept }) => ({ eventId, suspicion, ...kept }));
  const name = `${prefix}${first.at.toISOString()}-${first.eventId}.json`;
  await putOnce(evidence, name, JSON.stringify({ changes }), 'application/json');
  return name;
}

export function changeIn({ dynamodb = {}, userIdentity }: DynamoDBRecord): RowChange {
  const row = (image: typeof dynamodb.NewImage): StoredRow | null =>
    image ? Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)])) : null;
  const { type, principalId } = (userIdentity ?? {}) as { type?: string; principalId?: string };
  return {
    before: row(dynamodb.OldImage),
    after: row(dynamodb.NewImage),
    isByTimeToLive: type === 'Service' && principalId === 'dynamodb.amazonaws.com',
    at: new Date((dynamodb.ApproximateCreationDateTime ?? 0) * 1000),
  };
}

/** The types of values that a record has; other values stay as they came, and the row is then reported as not a record. */
function plainOf(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return numberIn(value.N);
  return value.NULL ? null : value;
}
