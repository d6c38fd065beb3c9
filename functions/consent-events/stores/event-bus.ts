import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { recordsSetAside } from '../../../lib/contract/metrics.ts';
import type { Line } from '../../../lib/runtime/log.ts';
import type { DomainEvent, RowChange } from '../rules/image.ts';

export type Publishing = {
  readonly client: EventBridgeClient;
  readonly eventBus: string;
  readonly environment: string;
  /** Null for a change without an event. @throws if the change is not understood */
  readonly eventOf: (change: RowChange) => DomainEvent | null;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html: entries of one request. */
const most = 10;
/** Characters of one event. */
const longest = 10_000;

/**
 * Puts the events of a batch, in the stream's order, ten to a request. At least once: if one event of a batch fails,
 * the events that were sent before it are sent again with it. A change that is not understood now will not be
 * understood later either, and would delay all later changes for a day: it is logged, counted for the alarm, and left out.
 *
 * @returns the number of the first record whose event was not taken; null where all were
 * @throws where EventBridge cannot be reached; some may have been put
 */
export async function publishEvents(records: readonly DynamoDBRecord[], to: Publishing): Promise<string | null> {
  const events = records.flatMap((record) => eventsOf(record, to));
  for (let from = 0; from < events.length; from += most) {
    const chunk = events.slice(from, from + most);
    const { Entries = [] } = await to.client.send(
      new PutEventsCommand({
        Entries: chunk.map(({ event }) => ({
          EventBusName: to.eventBus,
          Source: `mobile-health.${to.environment}`,
          DetailType: event.detailType,
          Time: new Date(event.time),
          Detail: JSON.stringify(event.detail),
        })),
      }),
    );
    const failed = chunk.findIndex((_, index) => !Entries[index]?.EventId);
    if (failed >= 0) {
      to.log({ level: 'WARN', message: 'event not taken', code: Entries[failed]?.ErrorCode ?? 'none' });
      return chunk[failed]?.sequenceNumber ?? '';
    }
  }
  to.log({ level: 'INFO', message: 'published', records: records.length, events: events.length });
  return null;
}

/** EventBridge refuses a whole request for one event that is too large, or has no time: ten of ours have some 10 kB. */
function isFit({ time, detail }: DomainEvent): boolean {
  return !Number.isNaN(Date.parse(time)) && time.length < 100 && JSON.stringify(detail).length < longest;
}

function eventsOf({ eventID, dynamodb }: DynamoDBRecord, to: Publishing) {
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  try {
    const event = to.eventOf(dynamodb ?? {});
    if (event && !isFit(event)) throw new RangeError('no event of ours is so long, or has no time');
    return event ? [{ event, sequenceNumber }] : [];
  } catch {
    to.log({ level: 'ERROR', message: 'record set aside', sequenceNumber, eventID }, { [recordsSetAside]: 1 });
    return [];
  }
}
