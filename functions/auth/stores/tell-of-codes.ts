import type { Application } from '../../../lib/contract/register.ts';
import { mailTo, noticeId } from '../../mail/exports.ts';
import { tellingCodes } from '../rules/lock.ts';

/**
 * Tells the owner that somebody knows the password and enters wrong codes: from the fifth on, once a day.
 *
 * @param userId also the pool's name of our users @returns it never fails, since the next wrong code tells it, too
 */
export function tellingOfCodes(queueUrl: string, application: Application, userId: string) {
  return async (failures: number): Promise<void> => {
    if (failures < tellingCodes) return;
    const at = new Date().toISOString();
    const mail = { kind: 'codes-refused', application, to: { userId }, locale: null, data: { at } } as const;
    await mailTo(queueUrl, mail, noticeId(userId, 'codes-refused', at.slice(0, 10))).catch(() => undefined);
  };
}
