import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  MessageNotFound: {
    when: "The caller's agent board has no message with this id, or it was deleted. A message of another user gives the same answer. A deletion gives this answer only if the text cannot be an id.",
    client: 'Read the agent board again.',
  },
};
