import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Line } from '../../../lib/runtime/log.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import type { Devices } from '../../devices/tables.ts';
import { boardEventOf } from '../rules/board-events.ts';
import { type BoardEvent, coalesced, pushesOf } from '../rules/delivery.ts';
import { reachableDevices } from '../stores/targets.ts';

export type Dispatch = {
  /** Table `Devices`. */
  readonly devices: Devices<'query'>;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly log: (line: Line) => void;
};

/**
 * Puts a message into the queue for each event and reachable device. What is put twice, as when Lambda tries a batch
 * again, is pushed once: the sender claims each.
 *
 * @returns the number of a record that cannot be understood; all before it was dispatched. Else null
 * @throws if devices cannot be read, or if messages cannot be sent; some messages may have been sent
 */
export async function dispatch(records: readonly DynamoDBRecord[], to: Dispatch): Promise<string | null> {
  const { events, poison } = readEvents(records);
  const distinct = coalesced(events);
  const users = new Set(distinct.map(({ userId }) => userId));
  const devices = new Map(
    await Promise.all([...users].map(async (user) => [user, await reachableDevices(to.devices, user)] as const)),
  );
  const pushes = distinct.flatMap((event) => pushesOf(event, devices.get(event.userId) ?? []));
  await sendAll(to.queueUrl, pushes, to.sqs);
  to.log({
    level: 'INFO',
    message: 'dispatched',
    events: events.length,
    distinct: distinct.length,
    pushes: pushes.length,
  });
  if (poison) to.log({ level: 'ERROR', message: 'record not understood', sequenceNumber: poison });
  return poison;
}

function readEvents(records: readonly DynamoDBRecord[]): { events: BoardEvent[]; poison: string | null } {
  const events: BoardEvent[] = [];
  for (const { dynamodb } of records) {
    try {
      const event = boardEventOf(dynamodb ?? {});
      if (event) events.push(event);
    } catch {
      return { events, poison: dynamodb?.SequenceNumber ?? '' };
    }
  }
  return { events, poison: null };
}
