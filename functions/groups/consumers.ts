import { Accounts } from '../../lib/contract/accounts.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { adjust, append, check, get, read, replace, sendTo } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { GroupMessageQueue } from './queues.ts';
import { GroupMembers, GroupMessageDeliveries, GroupMessageParts, GroupMessages } from './tables.ts';

/** A broadcast: accepted row → stream → queue → members in parts → one message each on the agent boards. */

export const beginGroupMessages = consumer({
  summary: 'Begins the posting of each message to a group that was accepted',
  application: 'sleepcare',
  stream: GroupMessages,
  uses: [sendTo(GroupMessageQueue)],
  batchSize: 10,
  retries: 10,
  maxAgeSeconds: 3600,
  impact: 'Messages to groups that staff sent are not posted; they stay at the state "gathering"',
});

export const postGroupMessages = consumer({
  summary: 'Lists the members of a group, and posts its messages to their agent boards',
  application: 'sleepcare',
  queue: GroupMessageQueue,
  uses: [
    get(GroupMessages),
    read(GroupMembers),
    read(GroupMessageParts),
    replace(GroupMessageParts),
    adjust(GroupMessageParts),
    get(GroupMessageDeliveries),
    append(GroupMessageDeliveries),
    get(ConsentStates),
    get(AgentBoardMessages),
    append(AgentBoardMessages),
    get(Accounts),
    check(Accounts),
    sendTo(GroupMessageQueue),
  ],
  batchSize: 1,
  // Two, each with five members at a time: pushes go out about as fast, so that nobody else's wait behind a broadcast.
  concurrency: 2,
  impact: 'Members of groups do not get the messages that staff sent to them',
});
