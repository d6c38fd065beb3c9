import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  IdempotencyKeyReused: {
    when: 'Within the last day the caller sent this key with another body, or to another resource of the route. Nothing was changed.',
    client: 'Make a new key for each thing to be created, and send the same one only with the same request.',
  },
};
