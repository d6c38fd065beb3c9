import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  MobileSettingNotFound: {
    when: 'No setting of this id was stored, or it was deleted.',
    client: 'Check the id; the first definition is stored by a PUT with `If-None-Match: *`.',
  },
  MobileSettingLimitReached: {
    when: 'An application has 100 settings.',
    client: 'Delete one that no installed app reads any more.',
  },
};
