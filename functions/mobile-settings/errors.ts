import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const MobileSettingNotFound = error({
  code: 'MOBILE_SETTING_NOT_FOUND',
  status: 404,
  message: 'There is no such mobile setting.',
});

export const MobileSettingUnreadable = error({
  code: 'MOBILE_SETTING_UNREADABLE',
  status: 409,
  message: 'The stored definition of this mobile setting cannot be read.',
  detail: () => z.object({ etag: z.nullable(z.string()) }),
});

export const MobileSettingLimitReached = error({
  code: 'MOBILE_SETTING_LIMIT_REACHED',
  status: 409,
  message: 'The mobile settings of an application have reached their limit.',
});
