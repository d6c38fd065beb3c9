import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  GroupNotFound: {
    when: 'No group has this id, or it was deleted.',
    client: 'Read the list of groups again.',
  },
  GroupMessageNotFound: {
    when: 'The group has no message with this id, or it was sent more than a year ago.',
    client: "Read the list of the group's messages again.",
  },
  GroupFull: {
    when: 'The group has 100,000 members.',
    client: 'Make a second group.',
  },
  GroupNotEmpty: {
    when: 'The group still has members, and cannot be deleted.',
    client: 'Remove the members first.',
  },
  GroupWithoutBoards: {
    when: 'The group is a group of staff. Only patients have agent boards.',
    client: 'Offer messages only for groups of patients.',
  },
  TooManyGroupMessages: {
    when: 'Three messages to the group are under way. One that takes longer than an hour no longer counts.',
    client: 'Show their progress, and send the message when one of them is `done`.',
  },
};
