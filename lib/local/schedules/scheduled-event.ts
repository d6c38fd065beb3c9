import { randomUUID } from 'node:crypto';
import { type BusEvent, wholeSeconds } from '../event-bus/put-events.ts';
import type { ScheduleModel } from '../model.ts';

/**
 * The event that a scheduled rule sends to its target, unless the target states an input of its own.
 * https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-eventbridge.html
 */
export function scheduledEvent({ ruleArn, input }: Pick<ScheduleModel, 'ruleArn' | 'input'>, now: number): unknown {
  if (input !== null) return JSON.parse(input);
  const [, , , region = '', account = ''] = ruleArn.split(':');
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: wholeSeconds(now),
    region,
    resources: [ruleArn],
    detail: {},
  } satisfies BusEvent;
}
