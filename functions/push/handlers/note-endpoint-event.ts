import { consumeTopic } from '../../../lib/runtime/consume.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { noteEndpointEvent } from '../consumers.ts';
import { readEndpointEvent } from '../rules/endpoint-event.ts';
import { noteEvent } from '../workflows/mark-disabled-device.ts';

export const handler = consumeTopic(noteEndpointEvent)(async ({ Message }, { tables, log }) => {
  const event = readEndpointEvent(Message);
  if (!event) {
    log({ level: 'WARN', message: 'no event of an endpoint' });
    return;
  }
  const outcome = await noteEvent(event, { sns: sns(), tables });
  const { type, failure, means } = event;
  // A failure that is not the phone's: our defect, the platform key's or the push service's.
  const level = failure !== null && means === 'none' ? 'WARN' : 'INFO';
  log({ level, message: 'endpoint event', type, failure, outcome });
});
