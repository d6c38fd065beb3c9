import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  MobileSettingNotFound: {
    when: 'There is no setting with this id, or it was deleted.',
    client: 'Check the id; the first definition is stored by a PUT with `If-None-Match: *`.',
  },
  MobileSettingUnreadable: {
    when: 'The stored definition has a form that this release does not know. Apps do not get this setting, and use the value that they were built with. To replace the definition send `etag` as `If-Match`; if it is null, send `If-None-Match: *`.',
    client: 'Store a whole definition by a PUT with `If-Match: <etag>`, or delete the setting.',
    example: { etag: '"3"' },
  },
  MobileSettingLimitReached: {
    when: 'An application has 100 settings, or their definitions together would have more than 500,000 bytes of JSON.',
    client: 'Delete a setting that no installed app reads any more.',
  },
};
