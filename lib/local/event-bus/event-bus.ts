import { openBoundedList } from '../bounded-list.ts';
import type { EventBusModel } from '../model.ts';
import { AwsFailure } from '../service/failure.ts';
import { type JsonHooks, type JsonInput, type JsonService, startJsonService } from '../service/json-service.ts';
import type { RunningService } from '../service/service.ts';
import { busArnOf, entriesOf, eventOf, type PutEvent } from './put-events.ts';

/**
 * The local stage's EventBridge: it accepts events and keeps them for inspection. Rules with an event pattern do not
 * run, so a bus delivers nothing.
 */

export type EventBusOptions = JsonHooks & {
  readonly buses: readonly EventBusModel[];
  /** Called for an event that went to no bus; EventBridge itself does not report this. */
  readonly log?: ((line: string) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Only the latest events are kept, 10,000 by default. */
  readonly maximumEvents?: number;
};

export type EventBus = RunningService & {
  /** Oldest first. */
  readonly events: () => PutEvent[];
  /** Adopts the buses of another template. */
  readonly adopt: (buses: readonly EventBusModel[]) => void;
};

const errors: JsonService['errors'] = {
  error: () => new AwsFailure('InternalException', 'An internal error occurred.', 500),
  throttle: () => new AwsFailure('ThrottlingException', 'Rate exceeded'),
};

export async function startEventBus(options: EventBusOptions): Promise<EventBus> {
  const { log = () => undefined, now = Date.now, maximumEvents = 10_000 } = options;
  const latest = openBoundedList<PutEvent>(maximumEvents);
  let { buses } = options;

  const put = (entry: ReturnType<typeof entriesOf>[number]) => {
    const busArn = busArnOf(entry, buses);
    const event = eventOf(entry, busArn, now());
    if ('ErrorCode' in event) return event;
    const bus = buses.find(({ arn }) => arn === busArn);
    // An unknown bus is no error here, and none on AWS: https://github.com/aws/aws-sdk/issues/186
    if (bus) latest.add({ bus: bus.name, event });
    else log(`an event ${event['detail-type']} of ${event.source} was lost: there is no event bus ${busArn}`);
    return { EventId: event.id };
  };
  const PutEvents = (input: JsonInput) => {
    const Entries = entriesOf(input).map(put);
    return { FailedEntryCount: Entries.filter((result) => 'ErrorCode' in result).length, Entries };
  };
  const service = await startJsonService(
    {
      name: 'EventBridge',
      target: 'AWSEvents',
      version: '1.1',
      actions: { PutEvents },
      resourcesOf: (input) => [...new Set(entriesOf(input).map((entry) => busArnOf(entry, buses)))],
      errors,
    },
    options,
  );
  return {
    ...service,
    events: () => latest.list(),
    adopt: (next) => {
      buses = next;
    },
  };
}
