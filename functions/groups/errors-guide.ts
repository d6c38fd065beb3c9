import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  GroupNotFound: {
    when: 'No group has this id, or it was deleted.',
    client: 'Read the list of groups again.',
  },
  GroupMessageNotFound: {
    when: 'The group has no message of this id, or it was sent more than a year ago.',
    client: "Read the list of the group's messages again.",
  },
  GroupFull: {
    when: 'The group has 100,000 members.',
    client: 'Make a second group.',
  },
  GroupNotEmpty: {
    when: 'A group with members is to be deleted.',
    client: 'Remove the members first.',
  },
  GroupWithoutBoards: {
    when: 'A message is sent to a group of staff. Agent boards are for patients.',
    client: 'Offer messages only for groups of patients.',
  },
  TooManyGroupMessages: {
    when: 'Three messages to the group are under way. One that takes longer than an hour no longer counts.',
    client: 'Show how far they are, and send it when one of them is `done`.',
  },
};
