import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  AppVersionPolicyNotFound: {
    when: 'There is no such application or platform, or it has no policy yet.',
    client: 'Check the path; the first policy is stored by a PUT with `If-None-Match: *`.',
  },
};
