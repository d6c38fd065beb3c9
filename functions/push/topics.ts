import { topic } from '../../lib/contract/topics.ts';

/** SNS's own events of the phones' endpoints; `npm run cli -- push-connect` has the platform applications name it. */
export const PushEvents = topic('PushEvents', { summary: "Events of the phones' endpoints", endpointEvents: true });
