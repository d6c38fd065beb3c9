import { consumer } from '../../lib/contract/consumer.ts';
import { pushPlatforms, read, sendTo, write } from '../../lib/contract/uses.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { Devices, DeviceTokens } from '../devices/tables.ts';
import { PushQueue } from './queues.ts';
import { PushDeliveries } from './tables.ts';
import { PushEvents } from './topics.ts';

/** Delivery (decision 17): committed change → dispatcher → one message for each device → sender → SNS. */

export const dispatchPushes = consumer({
  summary: 'Turns changes of the agent board into one queue message for each device',
  application: 'sleepcare',
  stream: AgentBoardMessages,
  uses: [read(Devices), sendTo(PushQueue)],
  // With 20 devices of each user, 500 messages for the queue at most: nobody waits long behind one user with many events.
  batchSize: 25,
  // Readings that follow each other within it come to one push of the last count.
  windowSeconds: 1,
  retries: 10,
  maxAgeSeconds: 3600,
  impact: 'Users get no push of new messages, and badges stay as they were',
});

export const sendPush = consumer({
  summary: 'Publishes a push to one device',
  application: 'sleepcare',
  queue: PushQueue,
  uses: [write(Devices), write(PushDeliveries), pushPlatforms('publish')],
  batchSize: 10,
  concurrency: 10,
  impact: 'Pushes are late or missing',
});

/** What is lost of it the next push finds out: SNS then refuses the endpoint. */
export const noteEndpointEvent = consumer({
  summary: 'Marks the device of an endpoint that SNS has disabled or deleted',
  application: 'sleepcare',
  topic: PushEvents,
  uses: [read(DeviceTokens), write(Devices), pushPlatforms('read')],
  retries: 2,
  maxAgeSeconds: 3600,
  impact: 'Phones that get no pushes any more are shown as reachable, until the next push to them fails',
});
