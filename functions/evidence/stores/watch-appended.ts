import type { DynamoDBRecord } from 'aws-lambda';
import type { FunctionEnvironment } from '../../../lib/runtime/environment.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { type AppendedRules, judgeAppended } from '../rules/appended.ts';
import { type StoredRow, shownText } from '../rules/row-change.ts';
import { changeIn, type Reporting, reportTampering, type WatchedTable } from './tampering.ts';

/** A table that is only appended to, and how its findings name a row. */
export type WatchedAppends = WatchedTable & {
  readonly rules: AppendedRules;
  /** Nothing that identifies a person. */
  readonly named: (row: StoredRow) => Readonly<Record<string, string>>;
};

/**
 * Examines each change of a table that is only appended to. What the attacker's rights allow is found under a role that
 * writes no table.
 *
 * @throws if the bucket or the topic cannot be reached; the batch comes again
 */
export async function watchAppends(
  records: readonly DynamoDBRecord[],
  watched: WatchedAppends,
  reporting: Reporting,
): Promise<null> {
  const found = records.flatMap((record) => {
    const change = changeIn(record);
    const suspicion = judgeAppended(change, watched.rules);
    if (!suspicion) return [];
    const image = change.after ?? change.before ?? {};
    const named = Object.entries(watched.named(image)).map(([name, text]) => [name, shownText(text)] as const);
    const says = named.map(([name, text]) => `${name} ${text}`).join(', ');
    const { at, isByTimeToLive } = change;
    // As DynamoDB writes them, so that the old row can be put back as it was.
    const images = { before: record.dynamodb?.OldImage ?? null, after: record.dynamodb?.NewImage ?? null };
    const kept = { ...images, isByTimeToLive, at };
    return [{ eventId: record.eventID ?? '', suspicion, at, kept, row: Object.fromEntries(named), says }];
  });
  await reportTampering(found, watched, reporting);
  return null;
}

type Bound = {
  readonly buckets: { readonly Evidence: string };
  readonly operators: string;
  readonly where: FunctionEnvironment;
  readonly log: Reporting['log'];
};

/** What a watcher of appends has, of what its declaration names. */
export function reportingOf({ buckets, operators, where, log }: Bound): Reporting {
  return {
    evidence: { s3: s3(), bucket: buckets.Evidence },
    operators: { client: sns(), topicArn: operators, environment: where.environment },
    log,
  };
}
