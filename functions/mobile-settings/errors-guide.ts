import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  MobileSettingNotFound: {
    when: 'No setting of this id was stored, or it was deleted.',
    client: 'Check the id; the first definition is stored by a PUT with `If-None-Match: *`.',
  },
  MobileSettingUnreadable: {
    when:
      'The stored definition has a form that this release does not know. Apps are told nothing of it, and go by the value that they ' +
      'were built with. `etag` is what it is replaced by; null: by `If-None-Match: *`.',
    client: 'Store a whole definition by a PUT with `If-Match: <etag>`, or delete the setting.',
    example: { etag: '"3"' },
  },
  MobileSettingLimitReached: {
    when: 'An application has 100 settings, or their definitions together would have more than 500,000 bytes of JSON.',
    client: 'Delete one that no installed app reads any more.',
  },
};
