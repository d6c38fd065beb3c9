import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Line } from '../../lib/runtime/log.ts';
import { consentEventOf, detailType } from './consent-event.ts';

export type Publishing = {
  readonly client: EventBridgeClient;
  readonly eventBus: string;
  readonly environment: string;
  readonly log: (line: Line) => void;
};

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html: entries of one request. */
const most = 10;

/**
 * Puts an event for each new record, in the stream's order, ten to a request. At least once: what a batch had told before
 * one event failed is told again with it.
 *
 * @returns the number of the first record whose event was not taken or cannot be made; null where all were
 * @throws where EventBridge cannot be reached; some may have been put
 */
export async function publishEvents(records: readonly DynamoDBRecord[], to: Publishing): Promise<string | null> {
  const { told, poison } = readEvents(records);
  for (let from = 0; from < told.length; from += most) {
    const chunk = told.slice(from, from + most);
    const { Entries = [] } = await to.client.send(
      new PutEventsCommand({
        Entries: chunk.map(({ event }) => ({
          EventBusName: to.eventBus,
          Source: `mobile-health.${to.environment}`,
          DetailType: detailType,
          Time: new Date(event.recordedAt),
          Detail: JSON.stringify(event),
        })),
      }),
    );
    const failed = chunk.findIndex((_, index) => !Entries[index]?.EventId);
    if (failed >= 0) {
      to.log({ level: 'WARN', message: 'event not taken', code: Entries[failed]?.ErrorCode ?? 'none' });
      return chunk[failed]?.sequenceNumber ?? '';
    }
  }
  to.log({ level: 'INFO', message: 'published', records: records.length, events: told.length });
  if (poison !== null) to.log({ level: 'ERROR', message: 'record not understood', sequenceNumber: poison });
  return poison;
}

function readEvents(records: readonly DynamoDBRecord[]) {
  const told: { event: NonNullable<ReturnType<typeof consentEventOf>>; sequenceNumber: string }[] = [];
  for (const { dynamodb } of records) {
    const sequenceNumber = dynamodb?.SequenceNumber ?? '';
    try {
      const event = consentEventOf(dynamodb ?? {});
      if (event) told.push({ event, sequenceNumber });
    } catch {
      return { told, poison: sequenceNumber };
    }
  }
  return { told, poison: null };
}
