import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, put }) => {
  // A code to change the address names whose it is; nothing else in these rows says of whom they are.
  await put('MailRecords', { mailRecord: 'code#email-change#hash', mailId: 'mail', keep: { userId } });
};
