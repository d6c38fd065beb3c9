import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  MessageNotFound: {
    when: "The caller's agent board has no message with this id, or no longer. Another user's message counts as none. A deletion answers it only for what is no id.",
    client: 'Read the agent board again.',
  },
};
